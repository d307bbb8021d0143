import { few } from '../support/few.ts'
import { type GivenFile, send } from '../support/files.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const CODE = ['/** A comment', ' * over two lines. */', "export const greeting = 'Hello'", '', 'greet(greeting)'].join(
  '\n',
)
const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true, dark: true },
  { width: 360, height: 225, dark: true },
]

const text = (name: string, content: string): GivenFile => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
})

const card = (chat: Chat, name: string) => chat.timeline.getByRole('button', { name: `Open ${name}` })

async function open(chat: Chat, name: string) {
  // Where there is hardly room for it, it may still be scrolling.
  await card(chat, name).press('Enter')
  const dialog = chat.page.getByRole('dialog', { name })
  return { dialog, content: dialog.getByRole('region', { name: 'Content' }), end: dialog.getByRole('status') }
}

for (const look of few(LOOKS, 21)) {
  test(`[F24] a text file shows its first lines and opens with numbers and colours (${look.width} × ${look.height})`, async ({
    hub,
    visit,
  }) => {
    await hub.say('work', ['Hello'])
    const chat = await visit('/', look)
    await send(chat, 'The code', [text('greet.ts', CODE)])
    const file = chat.bubble('The code')
    await expect(file.locator('pre')).toHaveText(CODE.split('\n').slice(0, 3).join('\n'))
    await expect(file.getByRole('link', { name: 'Download greet.ts' })).toBeAttached()
    const { dialog, content, end } = await open(chat, 'greet.ts')
    await expect(end).toHaveText('5 lines')
    await expect(content.locator('.line')).toHaveText(CODE.split('\n'))
    await expect(content.locator('.hljs-comment')).toHaveCount(2)
    await expect(content.locator('.hljs-string')).toHaveText("'Hello'")
    expect(await violations(chat.page)).toEqual([])
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    const wrap = dialog.getByRole('button', { name: 'Wrap' })
    await expect(wrap).toHaveAttribute('aria-pressed', 'false')
    await wrap.click()
    await expect(wrap).toHaveAttribute('aria-pressed', 'true')
    await expect(dialog.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 })
    await chat.page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(card(chat, 'greet.ts')).toBeFocused()
    await open(chat, 'greet.ts')
    await expect(dialog).toBeVisible()
    await chat.page.goBack()
    await expect(dialog).toBeHidden()
  })
}

test('[F24] of a long file the beginning is read and drawn, and all of it when somebody asks', async ({
  hub,
  visit,
}) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  const line = (n: number) => `${n} ${'of many lines '.repeat(4)}`
  const lines = Array.from({ length: 6000 }, (_, n) => line(n + 1)).join('\n')
  const read: string[] = []
  chat.page.on('request', async (request) => {
    if (request.url().includes('/attachments/') && request.method() === 'GET')
      read.push((await request.allHeaders()).range ?? 'all of it')
  })
  await send(chat, 'The log', [text('all.log', lines)])
  const { dialog, content, end } = await open(chat, 'all.log')
  await expect(end).toContainText('The first 262 KB of 371 KB')
  await expect.poll(() => read).toEqual(['bytes=0-599', 'bytes=0-262143'])
  await expect(content.locator('.line').first()).toHaveText(line(1))
  await dialog.getByRole('button', { name: 'Show all' }).click()
  await expect(content).toBeFocused()
  await expect(end).toHaveText('6,000 lines')
  await expect(async () => {
    await content.press('End')
    await expect(content.locator('.line').last()).toHaveText(line(6000), { timeout: 500 })
  }).toPass()
  expect(await dialog.locator('*').count()).toBeLessThan(4000)
})

test('[F24] a line without end and what is no text do no harm', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  const endless = `{"a":"${'x'.repeat(3_000_000)}"}`
  const bytes = { name: 'film.txt', mimeType: 'text/plain', buffer: Buffer.alloc(10_000) }
  await send(chat, 'Two files', [text('min.json', endless), bytes])
  const { dialog, content, end } = await open(chat, 'min.json')
  await dialog.getByRole('button', { name: 'Show all' }).click()
  await expect(end).toHaveText('1 line', { timeout: 30_000 })
  const longest = await content.locator('.line').evaluateAll((all) => Math.max(...all.map((l) => l.textContent.length)))
  expect(longest).toBeLessThanOrEqual(4000)
  await chat.page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  const other = await open(chat, 'film.txt')
  await expect(other.end).toContainText('Binary file')
})
