import { readFile } from 'node:fs/promises'
import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const ATTACK = '<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>'
const REPORT = { suite: 'browser', passed: 412, failed: 0, slowest: [{ name: ATTACK, seconds: 3.25 }], flaky: null }
const PDF = '%PDF-1.7\n%\u00ff\u00fe'

const said = (text: string, mime: string, more: object = {}): Body => ({
  kind: 'message',
  author: 'assistant',
  by: 'agent',
  text,
  mime,
  ...more,
})

for (const look of few(
  [
    { width: 1440, height: 900 },
    { width: 390, height: 844, dark: true, touch: true },
  ],
  7,
)) {
  test(`[U75] [U77] JSON, XML and other text are shown as what they are (${look.width} px)`, async ({ hub, visit }) => {
    const rows = Array.from({ length: 200 }, (_, n) => ({ n }))
    await hub.record('work', [
      said(JSON.stringify(rows), 'application/json', { structured: true }),
      said('**bold** text', 'text/markdown; charset=utf-8'),
      said(`**stars** ${ATTACK}`, 'text/x-unknown'),
      said(`<p>${ATTACK}</p>`, 'text/html'),
      said(`<svg onload="window.hacked = 1"><script>window.hacked = 1</script></svg>`, 'image/svg+xml'),
      said(JSON.stringify(REPORT), 'Application/Problem+JSON', { structured: true }),
    ])
    const chat = await visit('/', look)
    const json = chat.bubble('"passed"').locator('.code')
    expect(await json.locator('pre').textContent()).toBe(JSON.stringify(REPORT, null, 2))
    await expect(json.locator('.hljs-attr').first()).toHaveText('"suite"')
    await expect(json.getByRole('button', { name: 'Copy' })).toBeVisible()
    await expect(chat.bubble('bold').locator('strong')).toHaveText('bold')
    await expect(chat.bubble('**stars**').locator('strong')).toHaveCount(0)
    await expect(chat.bubble('onload').locator('.code .name')).toHaveText('xml')
    await chat.scrollToTop()
    const long = chat.bubble('"n": 0')
    await long.getByRole('button', { name: 'Show all 602 lines' }).press('Enter')
    await expect(long.locator('pre')).toContainText('"n": 199')
    await expect(chat.timeline.locator('.markdown').locator('script, img, svg, iframe, object, embed')).toHaveCount(0)
    expect(await chat.page.evaluate(() => 'hacked' in window)).toBe(false)
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    expect(await violations(chat.page)).toEqual([])
  })

  test(`[U76] [U77] what is of another type can be saved and read (${look.width} px)`, async ({ hub, visit }) => {
    await hub.record('work', [
      said(btoa(PDF), 'application/pdf'),
      said(`key: ${ATTACK}`, `application/${'x'.repeat(100)}`),
    ])
    const chat = await visit('/', look)
    const pdf = chat.bubble('application/pdf')
    await expect(pdf).toContainText('12 bytes')
    const download = chat.page.waitForEvent('download')
    await pdf.getByRole('button', { name: 'Save' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^message-\d+\.pdf$/)
    expect(await readFile(await file.path(), 'latin1')).toBe(PDF)
    const other = chat.bubble('xxx')
    await expect(other.getByText('key:')).toHaveCount(0)
    await other.getByText('Show as text').click()
    await expect(other.locator('.plain')).toHaveText(`key: ${ATTACK}`)
    // What was opened stays so when more is said.
    const body = JSON.stringify({ mime: 'text/plain', content: 'The end', session_id: 'work' })
    await fetch(`${hub.url}/api/tools/ui_chat_assistant_post`, { method: 'POST', body })
    await expect(chat.bubble('The end')).toBeVisible()
    await expect(other.locator('.plain')).toBeVisible()
    await other.getByText('Show as text').click()
    await expect(other.locator('.plain')).toHaveCount(0)
    expect(await chat.page.evaluate(() => 'hacked' in window)).toBe(false)
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    expect(await violations(chat.page)).toEqual([])
  })
}
