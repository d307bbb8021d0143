import { readFile } from 'node:fs/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from '@playwright/test'
import { png } from '../../support/images.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

interface Given {
  name?: string
  type?: string
  /** Text, or Base64 of a picture. */
  text?: string
  base64?: string
  /** Or so many bytes of nothing. */
  bytes?: number
}

const PICTURE = png(640, 400)
const SHOT: Given = { name: 'shot.png', type: 'image/png', base64: PICTURE.toString('base64') }
const NOTES: Given = { name: 'notes.md', type: 'text/markdown', text: '# Notes' }

/** Dispatches a paste or a drop with these files and texts; whether the page took it. */
async function give(page: Page, how: 'paste' | 'drop', files: Given[], texts: Record<string, string> = {}) {
  // It comes after the first message.
  await page.locator('textarea').waitFor()
  return page.evaluate(
    ({ how, files, texts }) => {
      const data = new DataTransfer()
      for (const [type, text] of Object.entries(texts)) data.setData(type, text)
      for (const { name = 'file', type = '', text = '', base64, bytes } of files) {
        const binary = base64 === undefined ? undefined : Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
        data.items.add(new File([binary ?? (bytes ? new Uint8Array(bytes) : text)], name, { type }))
      }
      const field = document.querySelector('textarea') as HTMLElement
      const shared = { bubbles: true, cancelable: true }
      if (how === 'paste') return !field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, ...shared }))
      field.dispatchEvent(new DragEvent('dragover', { dataTransfer: data, ...shared }))
      return !field.dispatchEvent(new DragEvent('drop', { dataTransfer: data, ...shared }))
    },
    { how, files, texts },
  )
}

function parts({ page, timeline }: Chat) {
  const chips = page.getByRole('list', { name: 'Attached files' })
  return {
    chips,
    chip: (name: string) => chips.getByRole('listitem').filter({ hasText: name }),
    send: page.getByRole('button', { name: 'Send' }),
    picture: (name: string) => timeline.getByRole('button', { name: `Enlarge ${name}` }),
    file: (name: string) => timeline.getByRole('link', { name: `Download ${name}` }),
  }
}

/** Picks files as a person does with the button. */
async function pick(page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]) {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await choosing).setFiles(files)
}

test('[F16] [F19] on a phone in the dark files are attached, sent and seen, and axe finds nothing', async ({
  connect,
  visit,
}) => {
  // Axe looks three times, and a busy machine is slow at it.
  test.slow()
  const chat = await visit('/', { width: 390, height: 780, dark: true, touch: true })
  const { chip, chips, picture, file } = parts(chat)
  const agent = await connect('work')
  const asking = agent.call('What do you see?')
  await expect(chat.dock).toBeVisible()
  await pick(chat.page, [{ name: 'report.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(123_456, 1) }])
  expect(await give(chat.page, 'paste', [SHOT])).toBe(true)
  expect(await give(chat.page, 'drop', [NOTES])).toBe(true)
  await expect(chips.getByRole('listitem')).toHaveCount(3)
  await expect(chip('report.pdf')).toContainText('123 KB')
  await expect(chip('shot.png').locator('img')).toBeVisible()
  await expect(chip('notes.md')).toContainText('7 bytes')
  expect(await violations(chat.page)).toEqual([])
  await chat.composer.fill('The header is cut off')
  await chat.page.getByRole('button', { name: 'Send' }).click()
  await expect(chips).toBeHidden()
  const { reply, attachments } = (await asking) as unknown as { reply: string; attachments: { path: string }[] }
  expect(reply).toBe('The header is cut off')
  expect(await readFile(attachments[1]?.path ?? '')).toEqual(PICTURE)
  await expect(picture('shot.png')).toBeVisible()
  await expect(file('notes.md')).toBeVisible()
  await expect(chat.bubble('The header is cut off')).toContainText('7 bytes')
  await expect(chat.bubble('The header is cut off')).toHaveCount(1)
  expect(await violations(chat.page)).toEqual([])
  // By a key: what is tapped while it still scrolls is missed by the browser.
  await picture('shot.png').press('Enter')
  const dialog = chat.page.getByRole('dialog', { name: 'shot.png' })
  await expect(dialog.getByRole('img', { name: 'shot.png' })).toBeVisible()
  expect(await violations(chat.page)).toEqual([])
  await chat.page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(picture('shot.png')).toBeFocused()
})

test('[F16] a message that waits for its files goes where the composer said, whatever is asked meanwhile', async ({
  hub,
  connect,
  visit,
}) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  await expect(chat.bubble('Hello')).toBeVisible()
  const arrived = Promise.withResolvers<void>()
  await chat.page.route('**/api/attachments', async (route) => {
    await arrived.promise
    await route.continue()
  })
  await give(chat.page, 'paste', [NOTES])
  await chat.reply('For later')
  await expect(chat.page.getByText('your message is sent right after')).toBeVisible()
  const agent = await connect('work')
  const asking = agent.call('Delete everything?')
  await expect(chat.dock).toBeVisible()
  arrived.resolve()
  await expect(chat.bubble('For later')).toHaveCount(1)
  await expect(chat.dock).toBeVisible()
  await chat.reply('No')
  expect(await asking).toMatchObject({ reply: 'No', earlier_messages: [{ text: 'Hello' }, { text: 'For later' }] })
})

test('[F16] a message waits for its files and can be files alone', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  const { chips, picture, chip } = parts(chat)
  await expect(chat.bubble('Hello')).toBeVisible()
  const arrived = Promise.withResolvers<void>()
  await chat.page.route('**/api/attachments', async (route) => {
    await arrived.promise
    await route.continue()
  })
  await give(chat.page, 'paste', [SHOT])
  await expect(chip('shot.png').getByRole('progressbar')).toBeVisible()
  await chat.composer.fill('Look at this')
  await chat.composer.press('Enter')
  await expect(chat.page.getByText('your message is sent right after')).toBeVisible()
  await expect(chat.composer).toHaveValue('Look at this')
  await expect(chat.bubble('Look at this')).toHaveCount(0)
  arrived.resolve()
  await expect(chat.bubble('Look at this')).toHaveCount(1)
  await expect(picture('shot.png')).toBeVisible()
  await expect(chat.composer).toHaveValue('')
  await expect(chips).toBeHidden()
  await give(chat.page, 'drop', [NOTES])
  await expect(chip('notes.md')).toContainText('7 bytes')
  await chat.composer.press('Enter')
  await expect(parts(chat).file('notes.md')).toBeVisible()
  await expect.poll(() => hub.told('work')).toMatchObject([{}, { text: 'Look at this' }, { text: '' }])
  await expect(chat.list).toContainText('notes.md')
})

test('[F17] thirty pasted lines become a file, and rich text with a picture of itself stays text', async ({
  hub,
  visit,
}) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  const { chip, chips } = parts(chat)
  await expect(chat.bubble('Hello')).toBeVisible()
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}`).join('\n')
  expect(await give(chat.page, 'paste', [], { 'text/plain': lines(29) })).toBe(false)
  const rich = { 'text/plain': 'A cell', 'text/html': '<b>A cell</b>' }
  expect(await give(chat.page, 'paste', [SHOT], rich)).toBe(false)
  await expect(chips).toBeHidden()
  expect(await give(chat.page, 'paste', [], { 'text/plain': lines(30) })).toBe(true)
  await expect(chip('pasted.txt')).toContainText('229 bytes')
  // A file manager puts the name beside the file.
  expect(await give(chat.page, 'paste', [NOTES], { 'text/plain': 'notes.md' })).toBe(true)
  await expect(chip('notes.md')).toBeVisible()
})

test('[F18] an upload that fails says why, and can be retried or removed', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  const { chip, chips, file } = parts(chat)
  await expect(chat.bubble('Hello')).toBeVisible()
  let failing = true
  await chat.page.route('**/api/attachments', (route) => (failing ? route.abort() : route.continue()))
  await give(chat.page, 'paste', [NOTES])
  await expect(chip('notes.md')).toContainText('Offline')
  await chat.composer.fill('With notes')
  await chat.composer.press('Enter')
  await expect(chat.page.getByRole('alert')).toHaveText('Retry or remove the failed file')
  await expect(chat.composer).toHaveValue('With notes')
  expect(await violations(chat.page)).toEqual([])
  failing = false
  await chip('notes.md').getByRole('button', { name: 'Retry notes.md' }).click()
  await expect(chip('notes.md')).toContainText('7 bytes')
  await give(chat.page, 'paste', [{ name: 'film.mov', bytes: 20 * 1024 * 1024 + 1 }])
  await expect(chip('film.mov')).toContainText('Larger than 20 MiB')
  await expect(chip('film.mov').getByRole('button', { name: 'Retry film.mov' })).toBeHidden()
  await give(chat.page, 'paste', [{ name: 'nothing.txt' }])
  await expect(chip('nothing.txt')).toContainText('This file is empty')
  await chip('film.mov').getByRole('button', { name: 'Remove film.mov' }).click()
  await chip('nothing.txt').getByRole('button', { name: 'Remove nothing.txt' }).click()
  await expect(chips.getByRole('listitem')).toHaveCount(1)
  await expect(chat.composer).toBeFocused()
  await give(
    chat.page,
    'paste',
    Array.from({ length: 10 }, (_, n) => ({ ...NOTES, name: `${n}.md` })),
  )
  await expect(chips.getByRole('listitem')).toHaveCount(10)
  await expect(chat.page.getByRole('alert')).toHaveText('A message carries at most 10 files')
  await expect(chips.getByRole('progressbar')).toHaveCount(0)
  await chat.composer.press('Enter')
  await expect(file('notes.md')).toBeVisible()
})

test('[F19] a picture has its room before it is there, and a file is downloaded under its name', async ({
  hub,
  visit,
}) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  const { chip, picture, file } = parts(chat)
  await expect(chat.bubble('Hello')).toBeVisible()
  await give(chat.page, 'paste', [SHOT, NOTES])
  await expect(chip('notes.md')).toContainText('7 bytes')
  await chat.reply('Both')
  await expect(picture('shot.png')).toBeVisible()
  const other = await visit('/favicon.svg')
  const shown = Promise.withResolvers<void>()
  await other.page.route('**/attachments/**', async (route) => {
    await shown.promise
    await route.continue()
  })
  await other.page.goto(hub.url)
  const image = parts(other).picture('shot.png').getByRole('img')
  await expect(image).toBeVisible()
  const before = await image.boundingBox()
  expect([before?.width, before?.height]).toEqual([320, 200])
  shown.resolve()
  await expect.poll(() => image.evaluate((node: HTMLImageElement) => node.naturalWidth)).toBe(640)
  expect(await image.boundingBox()).toEqual(before)
  const downloading = chat.page.waitForEvent('download')
  await file('notes.md').click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('notes.md')
  expect(await readFile(await download.path(), 'utf8')).toBe('# Notes')
})

test('[F19] the images of an agent are shown with its question and its progress', async ({ hub, visit }) => {
  const client = new Client({ name: 'painter', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp/agent?session=work`)))
  const images = [{ data: PICTURE.toString('base64'), name: 'plot.png' }]
  await client.callTool({ name: 'send_progress', arguments: { text: 'Drawn', images } })
  const asking = client.callTool({ name: 'ask_user', arguments: { question: 'Good?', images } }, { timeout: 60_000 })
  const chat = await visit()
  await expect(chat.bubble('Drawn').getByRole('img', { name: 'plot.png' })).toBeVisible()
  await expect(chat.bubble('Good?').getByRole('img', { name: 'plot.png' })).toBeVisible()
  await chat.reply('Yes')
  expect((await asking).structuredContent).toEqual({ answer: 'Yes' })
  await client.close()
})

test('[F16] a denial takes no files: they wait for the next message', async ({ hub, visit }) => {
  const client = new Client({ name: 'robot', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp/agent?session=work`)))
  const asking = client.callTool(
    { name: 'approve', arguments: { tool_name: 'Bash', input: { command: 'ls' } } },
    { timeout: 60_000 },
  )
  const chat = await visit()
  await expect(chat.dock).toBeVisible()
  await give(chat.page, 'paste', [NOTES])
  const { chip, file } = parts(chat)
  await expect(chip('notes.md')).toContainText('7 bytes')
  await chat.dock.getByRole('button', { name: 'Deny', exact: true }).click()
  await chat.reply('Not now')
  expect((await asking).content).toMatchObject([{ text: '{"behavior":"deny","message":"Not now"}' }])
  await expect(chip('notes.md')).toBeVisible()
  await chat.composer.press('Enter')
  await expect(file('notes.md')).toBeVisible()
  await client.close()
})
