import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const LOOKS = [
  { width: 1440, height: 900, dark: true },
  { width: 390, height: 844, touch: true },
]
const NAMES = ['one', 'two', 'three']

const ask = (text: string): Body => ({ kind: 'question', by: 'agent', text })
const rows = (chat: Chat) => chat.list.getByRole('link')
const row = (chat: Chat, name: string) => chat.list.getByRole('link', { name })
const menu = (chat: Chat) => chat.page.getByRole('menu')
const group = (chat: Chat, name: string) => chat.list.getByRole('button', { name })
const note = (chat: Chat) => chat.page.getByRole('status').filter({ hasText: 'Undo' })

async function openList({ page }: Chat) {
  const button = page.getByRole('button', { name: /^Show the conversations/ })
  if (await button.isVisible()) await button.click()
}

/** Right click, or a long press, which touch screens report so. */
async function act(chat: Chat, name: string, ...items: string[]) {
  await row(chat, name).click({ button: 'right' })
  for (const item of items) await menu(chat).getByRole('menuitem', { name: item, exact: true }).click()
}

for (const look of few(LOOKS, 20)) {
  test(`[U147] [U148] a menu of each row pins, mutes, snoozes and archives, and a note takes it back (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    for (const name of NAMES) await hub.say(name, ['Hello'])
    const chat = await visit('/#/c/three', look)
    await expect(chat.composer).toBeVisible()
    await openList(chat)
    await act(chat, 'one', 'Pin')
    await chat.page.mouse.move(800, 400)
    await expect(row(chat, 'one')).toHaveText(/pinned/)
    await act(chat, 'two', 'Mute')
    await expect(row(chat, 'two')).toHaveText(/muted/)
    await act(chat, 'two')
    await expect(menu(chat)).toBeVisible()
    expect(await violations(chat.page)).toEqual([])
    await menu(chat).getByRole('menuitem', { name: 'Archive' }).click()
    await expect(rows(chat)).toHaveCount(2)
    await expect(group(chat, 'Archived (1)')).toHaveAttribute('aria-expanded', 'false')
    await note(chat).getByRole('button', { name: 'Undo' }).click()
    await expect(rows(chat)).toHaveCount(3)
    await act(chat, 'two', 'Snooze…', 'Until it asks something')
    await group(chat, 'Snoozed (1)').click()
    await expect(chat.list.getByRole('region', { name: 'Snoozed' }).getByRole('link')).toHaveText([/two/])
    expect(await violations(chat.page)).toEqual([])
    await act(chat, 'two', 'Unsnooze')
    await expect(group(chat, 'Snoozed (1)')).toBeHidden()
    await expect(rows(chat)).toHaveCount(3)
  })
}

test('[U147] keys on a row and the menu of the header do the same, and letters can be turned off', async ({
  hub,
  visit,
}) => {
  for (const name of NAMES) await hub.say(name, ['Hello'])
  const chat = await visit('/#/c/three')
  await expect(chat.composer).toBeVisible()
  await row(chat, 'one').press('p')
  await expect(row(chat, 'one')).toHaveText(/pinned/)
  await row(chat, 'two').press('e')
  await expect(group(chat, 'Archived (1)')).toBeVisible()
  await row(chat, 'one').press('s')
  await expect(menu(chat).getByRole('menuitem', { name: 'In an hour' })).toBeFocused()
  await chat.page.keyboard.press('Escape')
  await expect(menu(chat)).toBeHidden()
  await expect(row(chat, 'one')).toBeFocused()
  await row(chat, 'one').press('F2')
  await expect(chat.list.locator('input')).toBeFocused()
  await chat.page.keyboard.type('First')
  await chat.page.keyboard.press('Enter')
  await expect(row(chat, 'First')).toBeVisible()
  await chat.page.getByRole('button', { name: 'More about this conversation' }).click()
  await menu(chat).getByRole('menuitem', { name: 'Mute' }).click()
  await expect(row(chat, 'three')).toHaveText(/muted/)
  await chat.page.evaluate(() => localStorage.setItem('parley.letters', 'off'))
  await chat.page.reload()
  await expect(chat.composer).toBeVisible()
  await row(chat, 'First').press('m')
  await row(chat, 'First').press('Delete')
  await expect(row(chat, 'First')).toBeHidden()
  await note(chat).getByRole('button', { name: 'Undo' }).click()
  await expect(row(chat, 'First')).not.toHaveText(/muted/)
})

test('[U151] a question wakes what is snoozed until then, for good; the title counts what is not muted', async ({
  hub,
  connect,
  visit,
}) => {
  for (const name of NAMES) await hub.say(name, ['Hello'])
  const chat = await visit('/#/c/three')
  await expect(chat.composer).toBeVisible()
  await act(chat, 'one', 'Snooze…', 'Until it asks something')
  await act(chat, 'two', 'Mute')
  await chat.composer.hover()
  const [one, two] = [await connect('one'), await connect('two')]
  const reply = one.ask('Well?')
  const needy = chat.list.getByRole('region', { name: 'Needs you' })
  await expect(needy.getByRole('link')).toHaveText([/one/])
  await expect(chat.page).toHaveTitle('(1) three')
  void two.ask('And you?').catch(() => {})
  await expect(needy.getByRole('link')).toHaveText([/one/, /two/])
  await expect(chat.page).toHaveTitle('(1) three')
  await row(chat, 'one').click()
  await expect(chat.page.getByRole('heading', { level: 1 })).toHaveText('one')
  await chat.composer.hover()
  await chat.reply('Yes')
  expect(await reply).toBe('Yes')
  await expect(needy.getByRole('link')).toHaveText([/two/])
  await expect(row(chat, 'one')).toBeVisible()
})

test('[U152] a chosen time lies in the future', async ({ hub, visit }) => {
  for (const name of NAMES) await hub.say(name, ['Hello'])
  const chat = await visit('/#/c/three')
  await expect(chat.composer).toBeVisible()
  await act(chat, 'one', 'Snooze…', 'Choose a time…')
  const dialog = chat.page.getByRole('dialog', { name: 'Snooze until' })
  await dialog.getByLabel('Snooze until').fill('2001-01-01T10:00')
  await dialog.getByRole('button', { name: 'Snooze' }).click()
  await expect(dialog).toBeVisible()
  await dialog.getByLabel('Snooze until').fill('2101-01-01T10:00')
  await dialog.getByRole('button', { name: 'Snooze' }).click()
  await expect(group(chat, 'Snoozed (1)')).toBeVisible()
})

test('[U153] [U154] grouping and filter are chosen in the head of the list and kept by the browser', async ({
  hub,
  visit,
}) => {
  await hub.record('a', [{ kind: 'title', title: 'a', folder: '/src/web' }, ask('Well?')])
  await hub.record('b', [
    { kind: 'title', title: 'b', folder: '/src/web' },
    { kind: 'progress', by: 'agent', text: 'Done' },
  ])
  await hub.say('c', ['Hello'])
  const chat = await visit('/#/c/c')
  await expect(chat.composer).toBeVisible()
  const sections = chat.list.getByRole('region')
  await chat.page.getByRole('button', { name: 'Arrange the list' }).click()
  await chat.page.getByRole('radio', { name: 'Project folder' }).check()
  expect(await violations(chat.page)).toEqual([])
  await chat.page.keyboard.press('Escape')
  await expect(sections).toHaveText([/Needs you.*a/s, /^\s*web\s+b/, /No folder\s+c/])
  await chat.page.reload()
  await expect(sections).toHaveText([/Needs you.*a/s, /^\s*web\s+b/, /No folder\s+c/])
  await expect(chat.composer).toBeVisible()
  await chat.page.getByRole('button', { name: 'Arrange the list' }).click()
  await chat.page.getByRole('radio', { name: 'Needs you' }).check()
  await expect(rows(chat)).toHaveText([/a.*Well\?/s])
  await chat.page.keyboard.press('Escape')
  await expect(chat.page.getByRole('radio', { name: 'Needs you' })).toBeHidden()
  await chat.list.getByRole('button', { name: 'Show all' }).click()
  await expect(rows(chat)).toHaveCount(3)
})

for (const look of LOOKS) {
  test(`[U157] a conversation is deleted after 10 s in which it can be kept, and nothing is sent before (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    for (const name of NAMES) await hub.say(name, ['Hello'])
    const chat = await visit('/favicon.svg', look)
    const sent: string[] = []
    chat.page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
    const forgets = () => sent.map((text) => JSON.parse(text)).filter(({ type }) => type === 'forget')
    await chat.page.clock.install()
    await chat.page.goto(`${hub.url}/#/c/three`)
    await expect(chat.composer).toBeVisible()
    await openList(chat)
    await act(chat, 'one')
    await expect(menu(chat).getByRole('menuitem', { name: 'Delete' })).toHaveCSS('color', await badIn(chat))
    expect(await violations(chat.page)).toEqual([])
    await menu(chat).getByRole('menuitem', { name: 'Delete' }).click()
    await expect(row(chat, 'one')).toBeHidden()
    await expect(note(chat)).toContainText('Deleting for everyone: one')
    await chat.page.clock.runFor(9000)
    await note(chat).getByRole('button', { name: 'Undo' }).click()
    await expect(row(chat, 'one')).toBeVisible()
    await chat.page.clock.runFor(20_000)
    expect(forgets()).toEqual([])
    await act(chat, 'one', 'Delete')
    await expect(row(chat, 'one')).toBeHidden()
    await chat.page.clock.runFor(10_000)
    await expect.poll(forgets).toMatchObject([{ conversation: 'one' }])
    await expect(row(chat, 'one')).toBeHidden()
    await expect(note(chat)).toBeHidden()
  })
}

test('[U546] what is about to be deleted can be kept for its 10 s, whatever else is deleted or archived meanwhile', async ({
  hub,
  visit,
}) => {
  for (const name of [...NAMES, 'four']) await hub.say(name, ['Hello'])
  const chat = await visit('/favicon.svg', { width: 390, height: 844, touch: true })
  await chat.page.clock.install()
  await chat.page.goto(`${hub.url}/#/c/four`)
  await expect(chat.composer).toBeVisible()
  await openList(chat)
  await act(chat, 'one', 'Delete')
  await expect(note(chat)).toContainText('Deleting for everyone: one')
  await act(chat, 'two', 'Delete')
  await act(chat, 'three', 'Archive')
  await expect(note(chat)).toHaveText([/Deleting for everyone: one/, /Deleting for everyone: two/, /Archived: three/])
  for (const each of await note(chat).getByRole('button').all()) await expect(each).toBeInViewport({ ratio: 1 })
  expect(await violations(chat.page)).toEqual([])
  await note(chat).filter({ hasText: ': one' }).getByRole('button', { name: 'Undo' }).click()
  await expect(row(chat, 'one')).toBeVisible()
  await chat.page.clock.runFor(10_000)
  await expect(note(chat).filter({ hasText: 'Deleting' })).toHaveCount(0)
  await expect.poll(() => hub.told('one')).toHaveLength(1)
  await expect(row(chat, 'one')).toBeVisible()
  await expect(row(chat, 'two')).toBeHidden()
})

/** The red of the page, as the browser says it. */
function badIn({ page }: Chat): Promise<string> {
  return page.evaluate(() => {
    const node = document.body.appendChild(document.createElement('i'))
    node.style.color = 'var(--bad)'
    const { color } = getComputedStyle(node)
    node.remove()
    return color
  })
}

test.describe('a hub that is killed', () => {
  test.use({ killable: true })

  test('[U157] has not deleted what could still be kept', async ({ hub, visit }) => {
    test.slow()
    await hub.recordAll({ one: [ask('Well?')], two: [ask('Well?')] })
    const chat = await visit('/#/c/two')
    await expect(chat.composer).toBeVisible()
    await act(chat, 'one', 'Delete')
    await expect(note(chat)).toContainText('Deleting for everyone: one')
    await hub.kill()
    await chat.page.goto('about:blank')
    await hub.restart()
    expect(await hub.told('one')).toHaveLength(1)
    await chat.page.goto(hub.url)
    await expect(row(chat, 'one')).toBeVisible()
  })
})
