import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const by = 'agent'
const told = (text: string): Body => ({ kind: 'message', author: 'assistant', by, text })
const called = (tool_name: string, args: object): Body => ({
  kind: 'tool_call',
  by,
  tool_name,
  tool_args: JSON.stringify(args),
})
const returned = (tool_name: string, result: string): Body => ({
  kind: 'tool_result',
  by,
  tool_name,
  result,
  success: true,
})

const CODE = 'export const answer: number = 42 // the answer\n'
const PATCH = `diff --git a/src/hub.ts b/src/hub.ts
--- a/src/hub.ts
+++ b/src/hub.ts
@@ -1,4 +1,5 @@
 import { chat } from './chat.ts'
-const old = 1
+const fresh = 1
+const more = 2
 export { chat }`
const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, dark: true, touch: true },
]

for (const look of few(LOOKS, 3)) {
  const name = `${look.width} px, ${look.dark ? 'dark' : 'light'}`
  test(`[U65] code has its language, colours, a copy and a wrap button (${name})`, async ({ hub, visit }) => {
    const languages = ['ts', 'python', 'rust', 'html', 'yaml']
    const blocks = languages.map((language) => `\`\`\`${language}\n${CODE}\`\`\``)
    await hub.record('work', [told(`${blocks.join('\n\n')}\n\n\`\`\`klingon\nqapla ${'x'.repeat(400)}\n\`\`\``)])
    const chat = await visit('/', look)
    const frames = chat.timeline.locator('.code')
    await expect(frames.locator('.name')).toHaveText([...languages, 'klingon'])
    await expect(frames.first().locator('.hljs-keyword').first()).toHaveText('export')
    await expect(frames.first().locator('.hljs-number')).toHaveText('42')
    const unknown = frames.last()
    await expect(unknown.locator('code span')).toHaveCount(0)
    const wide = () => unknown.locator('pre').evaluate((pre) => pre.scrollWidth > pre.clientWidth)
    await expect.poll(wide).toBe(true)
    await unknown.getByRole('button', { name: 'Wrap' }).click()
    await expect(unknown.getByRole('button', { name: 'Wrap', pressed: true })).toBeVisible()
    await expect.poll(wide).toBe(false)
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    expect(await violations(chat.page)).toEqual([])
  })

  test(`[U66] changes are coloured and counted: patches, and what editing tools replace (${name})`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [
      told(`Look:\n\n\`\`\`diff\n${PATCH}\n\`\`\``),
      called('Bash', { command: 'git diff' }),
      returned('Bash', PATCH),
      told('And'),
      called('Edit', { file_path: 'src/a.ts', old_string: 'one\ntwo\nthree', new_string: 'one\n2\n2.5\nthree' }),
      returned('Edit', 'ok'),
      told('The end'),
    ])
    const chat = await visit('/', look)
    const block = chat.bubble('Look:').locator('.code')
    await expect(block.locator('.counts')).toHaveText('+2 −1')
    await expect(block.locator('code .added')).toHaveText(['+const fresh = 1', '+const more = 2'])
    await expect(block.locator('code .removed')).toHaveText(['-const old = 1'])
    const line = (name: string) => chat.timeline.getByRole('group').filter({ hasText: name })
    await expect(line('Bash').locator('summary')).toContainText('+2 −1')
    await expect(line('Edit').locator('summary')).toContainText('+2 −1')
    await line('Edit').locator('summary').click()
    const change = line('Edit').locator('.code').filter({ hasText: 'Change' })
    await expect(change.locator('code > span')).toHaveText([' one', '-two', '+2', '+2.5', ' three'])
    await expect(line('Edit')).not.toContainText('old_string')
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    expect(await violations(chat.page)).toEqual([])
  })
}

test('[U65] what colours code is loaded for the first block and not before', async ({ hub, visit }) => {
  await hub.record('work', [told('No code here')])
  const chat = await visit()
  const loaded: string[] = []
  chat.page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  await chat.page.reload()
  await expect(chat.bubble('No code here')).toBeVisible()
  expect(loaded.filter((path) => /colour|typescript|python/.test(path))).toEqual([])
  await hub.report('work', [`\`\`\`ts\n${CODE}\`\`\``])
  await expect(chat.timeline.locator('.hljs-keyword').first()).toBeVisible()
  const names = loaded.flatMap((path) => /(colour|typescript|python)[^/]*\.js$/.exec(path)?.[1] ?? [])
  expect(new Set(names)).toEqual(new Set(['colour', 'typescript']))
})

test('[U67] long output shows its start and all of it on demand, and stays open', async ({ hub, visit }) => {
  const long = Array.from({ length: 300 }, (_, n) => `row ${n};`).join('\n')
  const words = Array.from({ length: 60 }, (_, n) => told(`Word ${n}.`))
  await hub.record('work', [told(`\`\`\`\n${long}\n\`\`\``), ...words])
  const chat = await visit()
  await expect(chat.bubble('Word 59.')).toBeInViewport()
  const frame = chat.timeline.locator('.code')
  await chat.scrollToTop(frame)
  await expect(frame).toContainText('row 29;')
  await expect(frame).not.toContainText('row 30;')
  await chat.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  // It says so for a moment only.
  await Promise.all([
    expect(frame.getByRole('button', { name: 'Copied' })).toBeVisible(),
    frame.getByRole('button', { name: 'Copy' }).click(),
  ])
  expect(await chat.page.evaluate(() => navigator.clipboard.readText())).toBe(long)
  await frame.getByRole('button', { name: 'Show all 300 lines' }).press('Enter')
  await expect(frame).toContainText('row 299;')
  await expect(frame.locator('pre')).toBeFocused()
  await chat.page.getByRole('button', { name: 'Newest' }).click()
  await expect(frame).toHaveCount(0)
  await chat.scrollToTop(frame)
  await expect(frame).toContainText('row 299;')
})

test('[U67] what is opened at the end stays in view, and whoever opened it with it', async ({ hub, visit }) => {
  const words = Array.from({ length: 40 }, (_, n) => told(`Word ${n}.`))
  const long = Array.from({ length: 300 }, (_, n) => `row ${n};`).join('\n')
  await hub.record('work', [...words, called('Bash', { command: 'cat long' }), returned('Bash', long)])
  const chat = await visit()
  const line = chat.timeline.getByRole('group').filter({ hasText: 'Bash' })
  await expect(line).toBeInViewport()
  // By keyboard: a click that has to be tried again scrolls by itself.
  await line.locator('summary').focus()
  await chat.scroll()
  const before = await line.locator('summary').boundingBox()
  await chat.page.keyboard.press('Enter')
  await expect(chat.timeline.locator('.code').first()).toBeVisible()
  await expect(chat.page.getByRole('button', { name: 'Newest' })).toBeVisible()
  // What is less than a pixel is the browser's rounding.
  const moved = async () => Math.abs(((await line.locator('summary').boundingBox())?.y ?? 0) - (before?.y ?? 0))
  await expect.poll(moved).toBeLessThan(1)
})

for (const look of few(LOOKS, 4)) {
  test(`[U64] a run of steps is one line that opens, and each step tells its time (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    const steps = Array.from({ length: 6 }, (_, n) => [
      called('Read', { file_path: `src/file-${n}.ts` }),
      returned('Read', `content ${n}`),
    ]).flat()
    await hub.record('work', [
      told('I look into it'),
      ...steps,
      { kind: 'thinking', by, reasoning: 'Now I know' },
      { kind: 'tool_result', by, tool_name: 'Bash', result: 'no', success: false },
      { kind: 'progress', by, text: 'Half of it is done' },
      told('Done'),
    ])
    const chat = await visit('/', look)
    const run = chat.timeline.getByRole('group').filter({ hasText: '8 steps' })
    await expect(run.first()).toContainText(/Read × 6, Bash\s+1 failed\s*$/)
    await expect(chat.timeline.getByText('src/file-3.ts')).toHaveCount(0)
    await run.first().locator('summary').first().press('Enter')
    await expect(chat.timeline.getByText('src/file-3.ts')).toBeVisible()
    await expect(chat.timeline.getByRole('group').filter({ hasText: 'src/file-3.ts' }).last()).toContainText('done')
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    expect(await violations(chat.page)).toEqual([])
  })
}
