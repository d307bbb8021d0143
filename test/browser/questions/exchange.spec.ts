import type { Body, Options } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const OPTIONS: Options = [{ label: 'SQLite', description: 'One file, no server' }, { label: 'PostgreSQL' }]
const PLACES: Options = [{ label: 'Test' }, { label: 'Staging' }, { label: 'Production' }]
const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true, dark: true },
  { width: 390, height: 400, touch: true },
  { width: 360, height: 225, dark: true },
]

function ask(text: string, more: Partial<Extract<Body, { kind: 'question' }>> = {}): Body {
  return { kind: 'question', by: 'agent', text, ...more }
}

const TOGETHER = [
  ask('Which database?', { exchange: 'one', options: OPTIONS }),
  ask('Which places?', { exchange: 'one', options: PLACES, multi_select: true }),
  ask('Which name?', { exchange: 'one' }),
]

const button = (chat: Chat, name: string) => chat.dock.getByRole('button', { name, exact: true })

async function type(chat: Chat, text: string) {
  await chat.composer.fill(text)
  await chat.composer.press('Control+Enter')
}

for (const look of few(LOOKS, 12)) {
  const kind = `${look.width} × ${look.height}, ${look.dark ? 'dark' : 'light'}`

  test(`[U120] several questions are one card with steps, sent all at once (${kind})`, async ({ hub, visit }) => {
    await hub.record('work', TOGETHER)
    const chat = await visit('/', look)
    await expect(chat.dock).toContainText('1 of 3')
    await expect(chat.dock).toContainText('Which database?')
    await button(chat, 'Next').click()
    await expect(chat.dock).toContainText('Which places?')
    await chat.dock.getByRole('checkbox', { name: 'Staging' }).check()
    expect(await violations(chat.page)).toEqual([])
    await expect(button(chat, 'Next')).toBeInViewport({ ratio: 1 })
    await button(chat, 'Next').click()
    await type(chat, 'Parley')
    await expect(chat.dock).toContainText('Which database?')
    await expect(button(chat, 'Send all')).toHaveAttribute('aria-disabled', 'true')
    await chat.dock.getByRole('button', { name: 'SQLite' }).click()
    await chat.dock.getByRole('button', { name: 'PostgreSQL' }).click()
    await expect(chat.dock.getByRole('button', { name: 'PostgreSQL' })).toHaveAttribute('aria-pressed', 'true')
    await expect(button(chat, 'Previous step')).toBeDisabled()
    await button(chat, 'Next step').click()
    await button(chat, 'Next step').click()
    await button(chat, 'Change').click()
    await expect(chat.composer).toHaveValue('Parley')
    await type(chat, 'Palaver')
    expect(await hub.told('work')).toHaveLength(3)
    expect(await violations(chat.page)).toEqual([])
    for (const each of await chat.dock.getByRole('button').all()) {
      if (look.touch) expect((await each.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    }
    await expect(button(chat, 'Send all')).toBeInViewport({ ratio: 1 })
    await button(chat, 'Send all').click()
    await expect(chat.dock).toBeHidden()
    const exchange = chat.bubble('3 questions')
    await expect(exchange.getByRole('img', { name: 'Accepted' })).toBeVisible()
    await expect(exchange.getByRole('listitem')).toContainText([/PostgreSQL/, /Staging/, /Palaver/])
    await expect
      .poll(async () => (await hub.told('work')).slice(3))
      .toMatchObject([{ choices: ['PostgreSQL'] }, { choices: ['Staging'] }, { reply: 'Palaver' }])
    expect(await violations(chat.page)).toEqual([])
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
  })
}

test('[U383] a step without options is written to at once, and what keys ticked is sent by Enter', async ({
  hub,
  visit,
}) => {
  const [database, places, name] = TOGETHER
  await hub.record(
    'work',
    [database, name, places].flatMap((body) => body ?? []),
  )
  const chat = await visit()
  const { keyboard } = chat.page
  await expect(chat.dock).toContainText('Which database?')
  await chat.timeline.focus()
  await keyboard.press('2')
  await expect(chat.composer).toBeFocused()
  await keyboard.type('test')
  await keyboard.press('Enter')
  await expect(chat.dock).toContainText('Which places?')
  await chat.dock.focus()
  await keyboard.press('1')
  await keyboard.press('3')
  await expect(button(chat, 'Send all')).toBeFocused()
  await keyboard.press('Enter')
  await expect
    .poll(async () => (await hub.told('work')).slice(3))
    .toMatchObject([{ choices: ['PostgreSQL'] }, { reply: 'test' }, { choices: ['Test', 'Production'] }])
})

test('[U383] ticks by number keys are sent by Enter', async ({ hub, visit }) => {
  await hub.record('work', [ask('Which places?', { options: PLACES, multi_select: true })])
  const chat = await visit()
  await expect(chat.dock).toContainText('Test')
  await chat.timeline.focus()
  await chat.page.keyboard.press('1')
  await chat.page.keyboard.press('2')
  await expect(button(chat, 'Send 2 choices')).toBeFocused()
  await chat.page.keyboard.press('Enter')
  await expect.poll(async () => (await hub.told('work'))[1]).toMatchObject({ choices: ['Test', 'Staging'] })
})

test('[U120] steps are answered by keyboard alone, and other questions stay cards of their own', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [...TOGETHER, ask('Something else?', { options: OPTIONS })])
  const chat = await visit()
  const press = (key: string) => chat.page.keyboard.press(key)
  await expect(chat.dock).toContainText('1 of 2')
  await chat.timeline.focus()
  await press('2')
  await expect(chat.dock).toContainText('Which places?')
  await press('1')
  await press('3')
  await button(chat, 'Next').focus()
  await press('Enter')
  await expect(chat.dock).toContainText('Which name?')
  await chat.composer.focus()
  await chat.page.keyboard.type('Parley')
  await press('Enter')
  await button(chat, 'Send all').focus()
  await press('Enter')
  await expect(chat.dock).toContainText('Something else?')
  await expect(chat.dock).not.toContainText('of 2')
  await expect(chat.bubble('3 questions').getByRole('listitem')).toContainText([
    /PostgreSQL/,
    /Test, Production/,
    /Parley/,
  ])
})

test('[U122] an exchange stays one block, and a link to any of its questions leads there', async ({ hub, visit }) => {
  const words = Array.from({ length: 40 }, (_, n) => ask(`Words ${n}`, { expires_at: 1 }))
  const ids = await hub.record('work', [...TOGETHER, ...words])
  const chat = await visit(`/#/c/work/${ids[1]}`)
  await expect(chat.bubble('3 questions')).toBeInViewport()
  await expect(chat.bubble('3 questions').getByRole('listitem')).toHaveCount(3)
})

test.describe(() => {
  test.use({ killable: true })

  test('[U126] answers that are sent to a hub that is away survive a reload, and are sent once', async ({
    hub,
    visit,
  }) => {
    await hub.record('work', TOGETHER.slice(0, 2))
    const chat = await visit('/', { own: true })
    await chat.dock.getByRole('button', { name: 'SQLite' }).click()
    await chat.dock.getByRole('checkbox', { name: 'Test' }).check()
    await hub.kill()
    await expect(chat.banner).toContainText('reconnecting')
    await button(chat, 'Send all').click()
    await expect(chat.bubble('2 questions').getByRole('img', { name: 'Sending' })).toBeVisible()
    await hub.restart()
    await chat.page.reload()
    await expect(chat.bubble('2 questions').getByRole('img', { name: 'Accepted' })).toBeVisible()
    expect(await hub.told('work')).toHaveLength(4)
  })
})
