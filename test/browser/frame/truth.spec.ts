import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const LOOKS = [
  { width: 1440, height: 900 },
  { width: 820, height: 1000, dark: true },
  { width: 390, height: 844, touch: true, dark: true },
]
const BY = 'gemini-cli-mcp-client'
const CODE = `\`\`\`ts\n${'const value = compute(value)\n'.repeat(90)}\`\`\``
const PATH = '/home/ada/projects/site/src/components/navigation/side-bar.test.ts'

const ask = (text: string, more = {}): Body => ({ kind: 'question', by: BY, text, ...more })
const say = (text: string): Body => ({ kind: 'message', author: 'assistant', by: BY, text })

for (const look of few(LOOKS, 2)) {
  test(`[U400] what is asked is said, and not the code around it, and a path by its end (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.record('below', [ask(`Here it is:\n\n${CODE}\n\nShall I go on?`)])
    await hub.record('above', [ask(`Shall I apply it?\n\n${CODE}`)])
    await hub.record('path', [
      ask('May I?', { approval: { tool_name: 'Edit', input: JSON.stringify({ file_path: PATH }) } }),
    ])
    const chat = await visit('/#/c/below', look)
    await expect(chat.dock).toContainText('Shall I go on?')
    await expect(chat.dock).not.toContainText('compute')
    if (look.width < 820) await chat.page.getByRole('button', { name: /^Show the conversations/ }).click()
    await expect(chat.list.getByRole('link', { name: 'below' })).toContainText('Shall I go on?')
    await expect(chat.list.getByRole('link', { name: 'above' })).toContainText('Shall I apply it?')
    const path = chat.list.getByRole('link', { name: 'path' })
    await expect(path).toContainText('Wants to use Edit: …')
    await expect(path).toContainText('bar.test.ts')
    expect(await path.locator('.preview').evaluate((node) => node.scrollWidth - node.clientWidth)).toBe(0)
    expect(await violations(chat.page)).toEqual([])
  })
}

test('[U401] cards of several questions and calls on the full screen name the agent as people know it', async ({
  hub,
  visit,
}) => {
  await hub.record('several', [ask('Which one?', { exchange: 'one' }), ask('Which name?', { exchange: 'one' })])
  await hub.record('call', [ask('May I?', { approval: { tool_name: 'Bash', input: '{"command":"ls"}' } })])
  const chat = await visit('/#/c/several')
  await expect(chat.bubble('2 questions')).toContainText('Gemini CLI')
  await expect(chat.page.locator('main')).not.toContainText(BY)
  await chat.page.goto(`${hub.url}/#/c/call`)
  await chat.dock.getByRole('button', { name: 'Show on the full screen' }).click()
  await expect(chat.page.getByRole('dialog')).toContainText('Gemini CLI wants to use Bash')
})

test('[U402] no two shortcuts look the same', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  await expect(chat.composer).toBeVisible()
  await chat.page.keyboard.press('?')
  const sheet = chat.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet).toContainText('Answer all, one by one')
  const chords = await sheet.locator('.chord').evaluateAll((all) => all.map((one) => (one as HTMLElement).innerText))
  const letters = chords.map((chord) => chord.replace(/\s+/g, ' ')).filter((chord) => /\b[A-Z]$/.test(chord))
  expect(letters).toContain('Shift N')
  expect(new Set(letters).size).toBe(letters.length)
})

test('[U403] End leads to the end while the beginning is still on its way', async ({ hub, visit }) => {
  await hub.record(
    'website',
    Array.from({ length: 1500 }, (_, n) => say(`Line ${n}.`)),
  )
  const chat = await visit('/favicon.svg', { changed: true })
  // The page of the beginning comes when the test says so.
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await chat.page.routeWebSocket(/\/ws/, (page) => {
    const server = page.connectToServer()
    server.onMessage(async (message) => {
      if (String(message).includes('"Line 0."')) await held
      page.send(message)
    })
  })
  await chat.page.goto(hub.url)
  await expect(chat.bubble('Line 1499.')).toBeInViewport()
  await chat.timeline.press('Home')
  await expect(chat.page.getByText('Loading…')).toBeVisible()
  await chat.timeline.press('End')
  release()
  await expect(chat.page.getByText('Loading…')).toBeHidden()
  await expect(chat.bubble('Line 1499.')).toBeInViewport()
  await expect.poll(chat.distance).toBeLessThanOrEqual(1)
})

test('[U403] where all of it is in view nothing leads to the newest', async ({ hub, visit }) => {
  const call = { by: BY, tool_name: 'Bash', call_id: 'one' }
  await hub.record('short', [
    say('Before'),
    { kind: 'tool_call', ...call, tool_args: JSON.stringify({ command: 'ls' }) },
    { kind: 'tool_result', ...call, result: 'a line\n'.repeat(60), success: true },
    say('After'),
  ])
  const chat = await visit()
  const newest = chat.page.getByRole('button', { name: 'Newest' })
  await expect(chat.bubble('After')).toBeVisible()
  const step = chat.timeline.locator('summary').first()
  await step.click()
  await expect(newest).toBeVisible()
  await step.click()
  await expect(newest).toBeHidden()
  await chat.timeline.press('Home')
  await chat.seen()
  await expect(newest).toBeHidden()
})
