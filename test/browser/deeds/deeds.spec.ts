import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const by = 'agent'
const ATTACK = '**bold** <img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>'
const LONG = Array.from({ length: 400 }, (_, n) => `line ${n} ${'x'.repeat(n)}`).join('\n')

const call = (tool_name: string, args: object): Body => ({
  kind: 'tool_call',
  by,
  tool_name,
  tool_args: JSON.stringify(args),
})
const result = (tool_name: string, result: string, success = true): Body => ({
  kind: 'tool_result',
  by,
  tool_name,
  result,
  success,
})

const DEEDS: Body[] = [
  { kind: 'message', author: 'user', by: 'person', text: 'Fix the build, please' },
  { kind: 'thinking', by, reasoning: `The build fails in the linker.\n\n${ATTACK}` },
  call('Read', { file_path: 'src/log/sqlite-log.ts', limit: 200 }),
  result('Read', ATTACK),
  { kind: 'progress', by, text: `Half of it is done ${ATTACK}` },
  call('Bash', { command: 'npm test', description: 'Run the tests' }),
  result('Bash', LONG, false),
  { kind: 'error', by, error: `The model is overloaded ${ATTACK}` },
  { kind: 'message', author: 'assistant', by, text: 'The tests fail; I look into it.' },
  { kind: 'turn', by },
  call('Grep', { pattern: 'a rather long pattern that has to be cut on a phone but not on a wide screen' }),
]

for (const look of few(
  [
    { width: 1440, height: 900 },
    { width: 390, height: 844, dark: true, touch: true },
  ],
  8,
)) {
  test(`[U23] what an agent does is one line each, and what its tools say stays text (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', DEEDS)
    const chat = await visit('/', look)
    const line = (name: string) => chat.timeline.getByRole('group').filter({ hasText: name })
    await expect(line('Read')).toHaveText(/src\/log\/sqlite-log\.ts\s+done\s*$/)
    await expect(line('Bash')).toHaveText(/npm test\s+failed/)
    await expect(line('Grep')).toContainText('agent not listening')
    await expect(chat.timeline.getByText('The agent ended its turn')).toBeVisible()
    await expect(chat.timeline.getByText('The model is overloaded')).toBeVisible()
    await expect(chat.timeline.getByText('Half of it is done')).toBeVisible()

    // A row that has grown is measured with the next frame, and the others find their place.
    const open = async (name: string) => {
      await line(name).locator('summary').press('Enter')
      await chat.scroll()
    }
    await open('Thinking')
    await open('Read')
    await expect(line('Read').locator('pre').last()).toHaveText(ATTACK)
    await expect(line('Thinking').locator('.plain')).toContainText(ATTACK)
    await expect(chat.timeline.locator('img, script, strong:not(:text("Error"))')).toHaveCount(0)
    expect(await chat.page.evaluate(() => 'hacked' in window)).toBe(false)

    await open('Bash')
    const output = line('Bash').locator('pre').last()
    await expect(output).toContainText('line 29 ')
    await expect(output).not.toContainText('line 30 ')
    await line('Bash').getByRole('button', { name: 'Show all 400 lines' }).press('Enter')
    await expect(output).toContainText('line 399')
    await expect(output).toBeFocused()
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    expect(await violations(chat.page)).toEqual([])
  })
}

test('[U23] a line that was opened is still open when the person scrolls back to it', async ({ hub, visit }) => {
  const words = Array.from({ length: 60 }, (_, n): Body => {
    return { kind: 'message', author: 'assistant', by, text: `Word ${n}.` }
  })
  await hub.record('work', [call('Bash', { command: 'ls' }), result('Bash', 'a.ts'), ...words])
  const chat = await visit()
  const line = chat.timeline.getByRole('group').filter({ hasText: 'Bash' })
  await expect(chat.bubble('Word 59.')).toBeInViewport()
  await chat.scrollToTop(line)
  await line.locator('summary').press('Enter')
  await expect(line.getByText('a.ts')).toBeVisible()
  await chat.page.getByRole('button', { name: 'Newest' }).click()
  await expect(line).toHaveCount(0)
  await chat.scrollToTop(line)
  await expect(line.getByText('a.ts')).toBeVisible()
})

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="90" onload="parent.hacked = 1">
  <script>parent.hacked = 1</script><image href="https://evil.example/pixel.png"/><rect width="240" height="90" rx="12" fill="#5a9"/></svg>`

for (const look of few(
  [
    { width: 1440, height: 900 },
    { width: 390, height: 844, dark: true, touch: true },
  ],
  9,
)) {
  test(`[U24] a message is shown according to its mime type (${look.width} px)`, async ({ hub, visit }) => {
    const message = { kind: 'message', author: 'assistant', by } as const
    await hub.record('work', [
      { ...message, text: '**Markdown**', mime: 'text/markdown' },
      { ...message, text: `Plain   ${ATTACK}\n  - indented`, mime: 'text/plain' },
      { ...message, text: '{"id":12345678901234567890,"tags":["<b>a</b>"],"none":{}}', mime: 'application/json' },
      { ...message, text: 'No JSON: **{**', mime: 'application/json' },
      { ...message, text: PNG, mime: 'image/png' },
      { ...message, text: btoa(SVG), mime: 'image/svg+xml' },
      { ...message, text: 'The end' },
    ])
    const remote: string[] = []
    const chat = await visit('/', look)
    chat.page.on('request', (request) => {
      if (request.url().startsWith('https:')) remote.push(request.url())
    })
    await chat.page.reload()
    await expect(chat.bubble('Markdown').locator('strong')).toHaveText('Markdown')
    const plain = chat.bubble('indented').locator('.markdown')
    expect(await plain.textContent()).toBe(`Plain   ${ATTACK}\n  - indented`)
    await expect(plain.locator('strong, img, script, li')).toHaveCount(0)
    const json = '{\n  "id": 12345678901234567890,\n  "tags": [\n    "<b>a</b>"\n  ],\n  "none": {}\n}'
    expect(await chat.bubble('tags').locator('pre').textContent()).toBe(json)
    await expect(chat.bubble('No JSON: **{**')).toBeVisible()
    const images = chat.timeline.getByRole('img', { name: 'Image from agent' })
    await expect(images).toHaveCount(2)
    const drawn = () => images.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth))
    await expect.poll(drawn).toEqual([1, 240])
    await expect(chat.timeline.locator('svg[onload], svg script')).toHaveCount(0)
    expect(await chat.page.evaluate(() => 'hacked' in window)).toBe(false)
    expect(remote).toEqual([])
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    expect(await violations(chat.page)).toEqual([])
  })
}

test('[U104] an error says what went wrong in one line, and the rest when one wants to know', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [{ kind: 'error', by, error: 'The build failed\n  at link (src/a.ts:1)' }])
  const chat = await visit()
  await expect(chat.timeline.getByText('The build failed')).toBeVisible()
  await expect(chat.timeline.getByText('at link (src/a.ts:1)')).toBeHidden()
  await chat.timeline.locator('summary').press('Enter')
  await expect(chat.timeline.getByText('at link (src/a.ts:1)')).toBeVisible()
  await expect(chat.list).toContainText('Error: The build failed')
  await expect(chat.list).not.toContainText('at link')
})
