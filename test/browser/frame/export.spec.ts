import { readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import type { Body } from '../../../src/protocol/entries/entry.ts'
import { HOSTILE } from '../../support/fuzz/hostile-texts.ts'
import { png } from '../../support/images.ts'
import { uploaded } from '../../support/uploads.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const TALK: Body[] = [
  { kind: 'title', title: 'Deploy the website' },
  {
    kind: 'message',
    author: 'user',
    by: 'ada',
    text: 'Please deploy the website, but **not** before the tests have run.',
  },
  { kind: 'thinking', by: 'codex', reasoning: 'The tests come first, then the deploy script.' },
  { kind: 'tool_call', by: 'codex', tool_name: 'Bash', tool_args: '{"command":"npm test -- --reporter=dot"}' },
  { kind: 'tool_result', by: 'codex', tool_name: 'Bash', result: '214 passed\n0 failed', success: true },
  {
    kind: 'message',
    author: 'assistant',
    by: 'codex',
    text: '## All green\n\n| suite | result |\n|---|---|\n| unit | 180 passed |\n| browser | 34 passed |\n\n```sh\n./deploy.sh --to production\n```\n\n- [x] tests\n- [ ] deploy `Array<string>`\n\n> Careful with the cache.',
  },
  {
    kind: 'question',
    by: 'codex',
    text: 'Where to?',
    options: [{ label: 'Production', description: 'what people see' }, { label: 'Staging' }],
  },
  { kind: 'error', by: 'codex', error: 'The deploy key is missing' },
]

const LOOKS = [
  { width: 1440, height: 900 },
  { width: 820, height: 1100, dark: true },
  { width: 390, height: 844, touch: true },
]
const PHONE = { width: 390, height: 844, dark: true, touch: true }

function menuOn({ page }: Chat) {
  return {
    button: page.getByRole('button', { name: 'More about this conversation' }),
    exports: page.getByRole('menuitem', { name: 'Export…' }),
    link: (name: string) => page.getByRole('menuitem', { name }),
  }
}

/** Downloads it as a person does, and answers with where it is. */
async function download(chat: Chat, name: string) {
  const { button, exports, link } = menuOn(chat)
  await button.click()
  await exports.click()
  const [file] = await Promise.all([chat.page.waitForEvent('download'), link(name).click()])
  return { name: file.suggestedFilename(), path: await file.path() }
}

test('[X16] the header offers the three formats as downloads', async ({ hub, visit }) => {
  await hub.record('a/b & c?', TALK)
  const chat = await visit()
  await expect(chat.bubble('All green')).toBeVisible()
  const expected: [string, string, RegExp][] = [
    ['Web page', 'Deploy the website.html', /^<!doctype html>[\s\S]*<\/html>\n$/],
    ['Markdown', 'Deploy the website.md', /^# Deploy the website\n/],
    ['JSON', 'Deploy the website.json', /^\{"conversation":"a\/b & c\?"/],
  ]
  for (const [link, name, content] of expected) {
    const file = await download(chat, link)
    expect(file.name).toBe(name)
    expect(await readFile(file.path, 'utf8')).toMatch(content)
  }
})

test('[X16] the menu closes by Escape, by a click beside it and by going on with Tab', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  const { button, exports, link } = menuOn(chat)
  const { keyboard } = chat.page
  await button.focus()
  await keyboard.press('Enter')
  await exports.press('Enter')
  await expect(link('Web page')).toBeFocused()
  await keyboard.press('Escape')
  await expect(link('Web page')).toBeHidden()
  await expect(button).toBeFocused()
  await button.click()
  await exports.click()
  await chat.timeline.click()
  await expect(link('Web page')).toBeHidden()
  await button.click()
  await exports.click()
  await keyboard.press('Tab')
  await expect(link('Web page')).toBeHidden()
})

for (const look of LOOKS) {
  test(`[U454] Export and Delete are in one menu, of the list too, and Delete is taken back (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    for (const name of ['work', 'other']) await hub.say(name, ['Hello'])
    const chat = await visit('/#/c/work', look)
    const { page, list } = chat
    await expect(chat.composer).toBeVisible()
    await expect(page.getByRole('banner').getByRole('button', { name: /Export/ })).toHaveCount(0)
    await menuOn(chat).button.click()
    const items = page.getByRole('menuitem')
    await expect(items.filter({ hasText: /^(?:Rename|Export…|Delete)/ })).toHaveText(['Rename', 'Export…', 'Delete'])
    await items.filter({ hasText: 'Delete' }).click()
    const note = page.getByRole('status').filter({ hasText: 'Undo' })
    await expect(note).toContainText('Deleting for everyone: work')
    await note.getByRole('button', { name: 'Undo' }).click()
    const drawer = page.getByRole('button', { name: /^Show the conversations/ })
    if (await drawer.isVisible()) await drawer.click()
    await expect(list.getByRole('link', { name: 'work' })).toBeVisible()
    await list.getByRole('link', { name: 'other' }).click({ button: 'right' })
    await items.filter({ hasText: 'Export…' }).click()
    await expect(items).toHaveText([/^Web page/, /^Markdown/, /^JSON/])
    for (const item of await items.all()) expect((await item.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    expect(file.suggestedFilename()).toBe('other.md')
    await expect(items).toHaveCount(0)
  })
}

test('[U454] what is chosen in the palette opens the formats', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  await expect(chat.composer).toBeVisible()
  await chat.page.keyboard.press('ControlOrMeta+k')
  await chat.page.keyboard.type('export this')
  await chat.page.getByRole('option', { name: 'Export this conversation' }).click()
  await expect(menuOn(chat).link('Web page')).toBeFocused()
})

test('[X17] on a phone in the dark menu and file can be read, and axe finds nothing', async ({ hub, visit }, info) => {
  test.slow()
  await hub.record('work', TALK)
  const chat = await visit('/', PHONE)
  await expect(chat.bubble('All green')).toBeVisible()
  await menuOn(chat).button.click()
  await menuOn(chat).exports.click()
  await expect(menuOn(chat).link('Web page')).toBeInViewport({ ratio: 1 })
  expect(await violations(chat.page)).toEqual([])
  await chat.page.keyboard.press('Escape')
  const { path } = await download(chat, 'Web page')
  await show(chat.page, path, info.outputPath('talk.html'))
  await expect(chat.page.getByRole('heading', { level: 1 })).toHaveText('Deploy the website')
  expect(await violations(chat.page)).toEqual([])
  expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width)
})

test('[X17] on paper everything is unfolded, dark on white', async ({ hub, visit }, info) => {
  await hub.record('work', TALK)
  const chat = await visit('/', { dark: true })
  await expect(chat.bubble('All green')).toBeVisible()
  const { path } = await download(chat, 'Web page')
  await show(chat.page, path, info.outputPath('talk.html'))
  await chat.page.emulateMedia({ media: 'print' })
  await expect(chat.page.getByText('214 passed')).toBeVisible()
  const colours = await chat.page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.body)
    return [color, backgroundColor]
  })
  expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)'])
})

test('[X17] whatever was said, the file runs nothing, loads nothing and stays whole', async ({ hub, visit }, info) => {
  await hub.record('work', [
    { kind: 'title', title: '<img src=x onerror=alert(1)>"\'' },
    ...HOSTILE.map((text): Body => ({ kind: 'message', author: 'assistant', by: '<b>codex</b>', text })),
    ...HOSTILE.map((result): Body => ({ kind: 'tool_result', by: 'x', tool_name: '<i>', result, success: true })),
    { kind: 'message', author: 'assistant', by: 'x', text: '"><script>alert(1)</script>', mime: 'image/png' },
    { kind: 'message', author: 'user', by: 'ada', text: 'The last word' },
  ])
  const chat = await visit()
  await expect(chat.bubble('The last word')).toBeVisible()
  const { path } = await download(chat, 'Web page')
  await leave(chat.page)
  const asked: string[] = []
  chat.page.on('request', (request) => asked.push(request.url()))
  chat.page.on('dialog', (dialog) => asked.push(dialog.message()))
  const address = await show(chat.page, path, info.outputPath('talk.html'))
  await expect(chat.page.getByText('The last word')).toBeVisible()
  expect(asked).toEqual([address])
  const elements = await chat.page.evaluate(() =>
    [...new Set(Array.from(document.querySelectorAll('body *'), ({ localName }) => localName))].sort(),
  )
  for (const name of elements)
    expect(
      'a article b blockquote br code del details div em h1 h2 header hr li main ol p pre strong summary table tbody td th thead time tr ul',
    ).toContain(name)
  const attributes = await chat.page.evaluate(() =>
    [...new Set(Array.from(document.querySelectorAll('body *')).flatMap((node) => node.getAttributeNames()))].sort(),
  )
  expect(attributes.filter((name) => !['class', 'datetime', 'href', 'rel', 'align', 'start'].includes(name))).toEqual(
    [],
  )
  await expect(chat.page.getByRole('article')).toHaveCount(HOSTILE.length + 2)
})

test('[X20] images and files are in the file itself, which asks nobody for them, and axe finds nothing', async ({
  hub,
  visit,
}, info) => {
  test.slow()
  const picture = await uploaded(hub.url, new Uint8Array(png(640, 400)), { name: 'shot.png' })
  const report = await uploaded(hub.url, new Uint8Array(200_000).fill(7), { name: 'report.pdf' })
  const lost = { ...report, hash: '0'.repeat(64), name: 'lost.csv' }
  await hub.record('work', [
    { kind: 'message', author: 'user', by: 'ada', text: 'Look at these', attachments: [picture, report] },
    { kind: 'progress', by: 'codex', text: 'Looked', attachments: [picture, lost] },
  ])
  const chat = await visit()
  const { page } = chat
  await expect(chat.bubble('Look at these')).toBeVisible()
  const { path } = await download(chat, 'Web page')
  await leave(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const address = await show(page, path, info.outputPath('talk.html'))
  const image = page.getByRole('img', { name: 'shot.png' })
  await expect(image).toHaveCount(1)
  expect(await image.evaluate((node: HTMLImageElement) => [node.naturalWidth, node.naturalHeight])).toEqual([640, 400])
  await expect(page.getByText('missing when this was exported')).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await violations(page)).toEqual([])
  }
  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'report.pdf' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('report.pdf')
  expect(await readFile(await saved.path())).toEqual(Buffer.alloc(200_000, 7))
  expect(asked).toEqual([address])
  await page.getByRole('link', { name: 'shot.png' }).click()
  await expect(page.locator(':target')).toContainText('shot.png')
})

/** The page, which asks for what it still wants until it is gone. */
async function leave(page: Page) {
  await page.goto('about:blank')
}

/** Opens a downloaded file from the disk, as its reader does. */
async function show(page: Page, path: string, as: string): Promise<string> {
  await writeFile(as, await readFile(path))
  const address = pathToFileURL(as).href
  await page.goto(address)
  return address
}
