import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, type Fixtures, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const TAKE_BACK_MS = 5000
const OPTIONS = [{ label: 'SQLite', description: 'One file, no server' }, { label: 'PostgreSQL' }, { label: 'Neither' }]
const ASKED: Body = { kind: 'question', by: 'agent', text: 'Which database?', options: OPTIONS }
const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true, dark: true },
  { width: 360, height: 225 },
]

const undo = (chat: Chat) => chat.dock.getByRole('button', { name: 'Undo' })
const option = (chat: Chat, name: string) => chat.dock.getByRole('button', { name })

/** A page whose time goes only when it is told to. */
async function visitInTime(hub: Fixtures['hub'], visit: Fixtures['visit'], look = {}): Promise<Chat> {
  const chat = await visit('/favicon.svg', { ...look, clock: true })
  await chat.page.clock.install()
  await chat.page.goto(hub.url)
  await expect(option(chat, 'SQLite')).toBeVisible()
  await chat.page.clock.pauseAt(Date.now() + 5000)
  return chat
}

for (const look of few(LOOKS, 32)) {
  test(`[U123] a tap can be undone for five seconds, and nothing moves (${look.width} × ${look.height})`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [ASKED])
    const chat = await visitInTime(hub, visit, look)
    const before = await chat.dock.boundingBox()
    await option(chat, 'SQLite').click()
    await expect(undo(chat)).toBeInViewport({ ratio: 1 })
    await expect(chat.dock).toContainText('Sending… “SQLite”')
    expect((await chat.dock.boundingBox())?.height).toBe(before?.height)
    if (look.touch) expect((await undo(chat).boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await chat.page.clock.runFor(4000)
    await undo(chat).click()
    await expect(option(chat, 'PostgreSQL')).toBeVisible()
    await chat.page.clock.runFor(6000)
    expect(await hub.told('work')).toHaveLength(1)
    await option(chat, 'PostgreSQL').click()
    await chat.page.clock.runFor(5000)
    await expect(chat.bubble('PostgreSQL').getByRole('img', { name: 'Accepted' })).toBeVisible()
    await expect.poll(() => hub.told('work')).toMatchObject([{}, { choices: ['PostgreSQL'] }])
  })
}

test('[U123] axe finds nothing in what can be taken back, light and dark', async ({ hub, visit }) => {
  await hub.record('work', [ASKED])
  const chat = await visit('/favicon.svg', { changed: true })
  // Axe needs a clock that goes, and takes longer than five seconds on a busy machine.
  await chat.page.addInitScript((ms) => {
    const wait = setTimeout
    window.setTimeout = ((act: () => void, time: number) => wait(act, time === ms ? 1e6 : time)) as typeof setTimeout
  }, TAKE_BACK_MS)
  await chat.page.goto(hub.url)
  await option(chat, 'SQLite').click()
  for (const colorScheme of ['light', 'dark'] as const) {
    await chat.page.emulateMedia({ colorScheme })
    expect(await violations(chat.page)).toEqual([])
  }
  await expect(undo(chat)).toBeVisible()
})

test('[U123] Escape takes a tap back, from the composer as from anywhere, and keeps what is typed', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [ASKED])
  const chat = await visitInTime(hub, visit)
  await option(chat, 'SQLite').click()
  await expect(chat.composer).toBeFocused()
  await chat.page.keyboard.type('And then')
  await chat.page.keyboard.press('Escape')
  await expect(option(chat, 'SQLite')).toBeVisible()
  await expect(chat.composer).toHaveValue('And then')
  await chat.composer.fill('')
  await chat.timeline.focus()
  await chat.page.keyboard.press('2')
  await expect(undo(chat)).toBeVisible()
  await chat.page.keyboard.press('Escape')
  await expect(option(chat, 'SQLite')).toBeVisible()
  await chat.page.clock.runFor(6000)
  expect(await hub.told('work')).toHaveLength(1)
})

const WAYS: [string, (chat: Chat) => Promise<unknown>][] = [
  ['another conversation', (chat) => chat.list.getByText('other').click()],
  ['another page', (chat) => chat.page.goto('about:blank')],
  ['a reload', (chat) => chat.page.reload()],
  ['words that are sent', (chat) => chat.reply('By the way')],
]

for (const [way, leave] of WAYS) {
  test(`[U123] ${way}: a tap is sent at once`, async ({ hub, visit }) => {
    await hub.recordAll({
      other: [{ kind: 'message', author: 'assistant', by: 'agent', text: 'Hello' }],
      work: [ASKED],
    })
    const chat = await visitInTime(hub, visit)
    await option(chat, 'Neither').click()
    await expect(undo(chat)).toBeVisible()
    await leave(chat)
    await expect.poll(async () => (await hub.told('work'))[1]).toMatchObject({ choices: ['Neither'] })
  })
}

test('[U123] a verdict is never held back', async ({ hub, visit }) => {
  const approval = { tool_name: 'Bash', input: '{"command":"ls"}' }
  await hub.record('work', [{ kind: 'question', by: 'agent', text: 'May I?', approval }])
  const chat = await visit()
  await chat.dock.getByRole('button', { name: 'Allow once' }).click()
  await expect(undo(chat)).toHaveCount(0)
  await expect.poll(async () => (await hub.told('work'))[1]).toMatchObject({ outcome: 'approved' })
})
