import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from '@playwright/test'
import { few } from '../support/few.ts'
import { type Chat, expect, type Fixtures, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const LOOKS = [
  { width: 1440, height: 900 },
  { width: 1440, height: 900, dark: true },
  { width: 390, height: 844, touch: true },
  { width: 390, height: 844, touch: true, dark: true },
]
const SECRET = `ghp_${'a1B2'.repeat(9)}`
const INPUT = {
  command: `curl -H "X-Api-Key: ${SECRET}" https://db.example/x; API_KEY="$(touch pwned)" sh`,
  password: 'open sesame',
}

/** An agent that asks for permission, and tells what it was told. */
async function approver(hub: Fixtures['hub']) {
  const client = new Client({ name: 'claude', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp/agent?session=work', hub.url)))
  hub.closeFirst(() => client.close())
  return async (input: object = INPUT) => {
    const { content } = await client.callTool({ name: 'approve', arguments: { tool_name: 'Bash', input } })
    return JSON.parse((content as { text: string }[])[0]?.text ?? '')
  }
}

/** What the page asks to be told. */
function revealed(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/reveal')) asked.push(request.postData() ?? '')
  })
  return asked
}

const showIn = (place: Chat['dock']) => place.getByRole('button', { name: 'Show what is masked' })
const hideIn = (place: Chat['dock']) => place.getByRole('button', { name: 'Hide what is masked' })

for (const look of few(LOOKS, 3)) {
  test(`[U255] whoever decides can show what is masked, and hide it again (${look.width} px${look.dark ? ', dark' : ''})`, async ({
    hub,
    visit,
  }) => {
    const verdict = (await approver(hub))()
    const chat = await visit('/', look)
    const asked = revealed(chat.page)
    await expect(chat.dock).toContainText('2 secrets are masked.')
    await expect(chat.dock).toContainText(
      'curl -H "X-Api-Key: [masked]" https://db.example/x; API_KEY="$(touch pwned)" sh',
    )
    expect([asked, (await chat.page.content()).includes(SECRET)]).toEqual([[], false])
    const show = showIn(chat.dock)
    if (look.touch) {
      expect((await show.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      await show.tap()
    } else {
      await show.click()
    }
    await expect(chat.dock).toContainText(INPUT.command)
    await expect(chat.dock).toContainText('open sesame')
    await expect(chat.dock).toContainText('2 secrets are shown.')
    expect(asked.length).toBe(1)
    expect(await violations(chat.page)).toEqual([])
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    await hideIn(chat.dock).click()
    await expect(chat.dock).not.toContainText('open sesame')
    await chat.canAllow()
    await chat.dock.getByRole('button', { name: /^Allow once/ }).click()
    expect(await verdict).toEqual({ behavior: 'allow', updatedInput: INPUT })
  })
}

test('[U255] it is shown and hidden by keyboard, and the focus stays', async ({ visit, hub }) => {
  void (await approver(hub))().catch(() => {})
  const chat = await visit()
  await showIn(chat.dock).focus()
  await chat.page.keyboard.press('Enter')
  await expect(chat.dock).toContainText('open sesame')
  await expect(hideIn(chat.dock)).toBeFocused()
  await chat.page.keyboard.press('Space')
  await expect(chat.dock).not.toContainText('open sesame')
  await expect(showIn(chat.dock)).toBeFocused()
})

test('[U256] what is shown while arguments are edited does not get into what is sent', async ({ hub, visit }) => {
  const verdict = (await approver(hub))()
  const chat = await visit()
  await showIn(chat.dock).click()
  await expect(chat.dock).toContainText('open sesame')
  await chat.dock.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(chat.dock).toContainText('open sesame')
  const field = chat.dock.getByRole('textbox', { name: 'command' })
  await expect(field).toHaveValue(/Api-Key: \[masked\]/)
  await field.fill('curl -H "X-Api-Key: [masked]" x')
  await chat.dock.getByRole('button', { name: /^Allow with changes/ }).click()
  expect(await verdict).toEqual({
    behavior: 'allow',
    updatedInput: { command: `curl -H "X-Api-Key: ${SECRET}" x`, password: 'open sesame' },
  })
  const exported = await (await fetch(`${hub.url}/api/export/work?format=json`)).text()
  expect([exported.includes('Api-Key'), exported.includes(SECRET)]).toEqual([true, false])
})

test('[U257] the record shows what ran to who asks, with changes as it ran', async ({ visit, hub }) => {
  const verdict = (await approver(hub))()
  const chat = await visit()
  await chat.canAllow()
  await chat.dock.getByRole('button', { name: 'Edit', exact: true }).click()
  await chat.dock.getByRole('textbox', { name: 'command' }).fill('curl -H "X-Api-Key: [masked]" x')
  await chat.dock.getByRole('button', { name: /^Allow with changes/ }).click()
  await verdict
  await chat.page.goto(hub.url)
  const row = chat.timeline.getByRole('article').filter({ hasText: 'Allowed with changes' })
  await row.locator('summary').click()
  await expect(row).toContainText('2 secrets are masked.')
  expect((await chat.page.content()).includes(SECRET)).toBe(false)
  await showIn(row).click()
  await expect(row).toContainText('Changed from what was asked:')
  await expect(row).toContainText(INPUT.command)
  await expect(row).toContainText(`curl -H "X-Api-Key: ${SECRET}" x`)
  expect(await violations(chat.page)).toEqual([])
})

test('[U258] a call that nobody was asked about shows what ran, too', async ({ visit, hub }) => {
  const approve = await approver(hub)
  const first = approve({ text: 'x' })
  const chat = await visit()
  await chat.canAllow()
  await chat.dock.getByRole('button', { name: /^Always allow/ }).click()
  await first
  await approve({ text: INPUT.command, password: INPUT.password })
  await chat.timeline.locator('summary', { hasText: 'curl' }).click()
  const fact = chat.timeline.getByRole('definition').filter({ hasText: '2 secrets are masked' })
  await showIn(fact).click()
  await expect(chat.timeline).toContainText('open sesame')
})

test('[U259] where what is masked was not kept, the page says so', async ({ visit, hub }) => {
  const approval = { tool_name: 'Bash', input: '{"password":"[masked]"}', masked: 1 }
  await hub.record('work', [{ kind: 'question', by: 'claude', text: 'May I?', approval }])
  const chat = await visit()
  await showIn(chat.dock).click()
  await expect(chat.dock).toContainText('The masked text there was not kept, or there is none.')
  await expect(showIn(chat.dock)).toBeVisible()
})
