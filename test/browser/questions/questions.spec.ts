import type { Body, Options } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, signInTwo, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const OPTIONS: Options = [
  { label: 'SQLite', description: 'One file, no server' },
  { label: 'PostgreSQL', description: 'Several hubs can share it' },
  { label: 'Neither' },
]
const HOSTILE: Options = [
  { label: `<b>bold</b> ${'x'.repeat(180)}`, description: `\u202e**right to left** ${'y'.repeat(900)}` },
  ...Array.from({ length: 19 }, (_, n) => ({ label: `Option ${n + 2}`, description: 'Some words '.repeat(9) })),
]
const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true, dark: true },
]

function ask(text: string, more: Partial<Extract<Body, { kind: 'question' }>> = { options: OPTIONS }): Body {
  return { kind: 'question', by: 'agent', text, ...more }
}

function option(chat: Chat, name: string) {
  return chat.dock.getByRole('button', { name })
}

for (const look of few(LOOKS, 22)) {
  const kind = `${look.width} px, ${look.dark ? 'dark' : 'light'}`

  test(`[U26] one tap chooses an option, and the reply is a bubble like any other (${kind})`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [ask('Which database?')])
    const chat = await visit('/', look)
    await expect(option(chat, 'PostgreSQL')).toContainText('Several hubs can share it')
    await expect(chat.promise).toContainText('Choose above or type your own')
    expect(await violations(chat.page)).toEqual([])
    for (const button of await chat.dock.getByRole('button').all()) {
      if (look.touch) expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    }
    await option(chat, 'PostgreSQL').click()
    await chat.sendNow()
    await expect(chat.dock).toBeHidden()
    await expect(chat.bubble('PostgreSQL').getByRole('img', { name: 'Accepted' })).toBeVisible()
    await expect.poll(() => hub.told('work')).toMatchObject([{}, { outcome: 'answered', choices: ['PostgreSQL'] }])
  })

  test(`[U28] many long options scroll inside, and the composer stays on screen (${kind})`, async ({ hub, visit }) => {
    await hub.record('work', [
      ask('Please decide. '.repeat(200), { options: HOSTILE, multi_select: true }),
      ask('Next?'),
    ])
    const chat = await visit('/', look)
    await expect(chat.dock.getByRole('checkbox')).toHaveCount(20)
    await expect(chat.composer).toBeInViewport({ ratio: 1 })
    await expect(chat.dock).toBeInViewport({ ratio: 1 })
    await expect(option(chat, 'Send 0 choices')).toBeInViewport({ ratio: 1 })
    await expect(chat.dock.locator('b, strong')).toHaveCount(0)
    await chat.dock.getByRole('checkbox').last().check()
    await expect(option(chat, 'Send 1 choice')).toBeInViewport({ ratio: 1 })
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    expect(await violations(chat.page)).toEqual([])
    await chat.page.setViewportSize({ width: look.width, height: 420 })
    await expect(chat.composer).toBeInViewport({ ratio: 1 })
    await expect(option(chat, 'Send 1 choice')).toBeInViewport({ ratio: 1 })

    await option(chat, 'Minimise the question').click()
    await expect(chat.dock.getByRole('checkbox')).toHaveCount(0)
    await expect.poll(async () => (await chat.dock.boundingBox())?.height).toBeLessThan(72)
    await option(chat, 'Open the question').click()
    await expect(chat.dock.getByRole('checkbox', { checked: true })).toHaveCount(1)
  })
}

test('[U26] several options are checked and sent together, and nothing is sent while none is', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [ask('Which ones?', { options: OPTIONS, multi_select: true })])
  const chat = await visit()
  await expect(option(chat, 'Send 0 choices')).toHaveAttribute('aria-disabled', 'true')
  await option(chat, 'Send 0 choices').click({ force: true })
  await chat.dock.getByRole('checkbox', { name: 'Neither' }).check()
  await chat.dock.getByRole('checkbox', { name: 'SQLite' }).check()
  await option(chat, 'Send 2 choices').click()
  await expect(chat.bubble('SQLite, Neither')).toHaveCount(1)
  await expect(chat.composer).toBeFocused()
  await expect.poll(() => hub.told('work')).toMatchObject([{}, { choices: ['SQLite', 'Neither'] }])
})

test('[U82] options that are ticked go with what is typed', async ({ hub, visit }) => {
  await hub.record('work', [ask('Which ones?', { options: OPTIONS, multi_select: true })])
  const chat = await visit()
  await chat.dock.getByRole('checkbox', { name: 'Neither' }).check()
  await chat.reply('A text file')
  await expect(chat.bubble('A text file').getByRole('img', { name: 'Accepted' })).toBeVisible()
  const [, end] = await hub.told('work')
  expect(end).toMatchObject({ outcome: 'answered', reply: 'Neither\n\nA text file', choices: ['Neither'] })
})

test('[U27] arrows and Enter choose an option and lead to the composer; its number leaves the focus', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [ask('First?'), ask('Second?'), ask('Third?', { options: OPTIONS, multi_select: true })])
  const chat = await visit()
  await expect(chat.dock).toContainText('1 of 3')
  const press = (key: string) => chat.page.keyboard.press(key)
  await chat.composer.focus()
  await press('ArrowUp')
  await expect(option(chat, 'SQLite')).toBeFocused()
  await press('ArrowDown')
  await press('ArrowDown')
  await expect(option(chat, 'Neither')).toBeFocused()
  await press('ArrowDown')
  await press('ArrowUp')
  await press('ArrowUp')
  await expect(option(chat, 'PostgreSQL')).toBeFocused()
  await press('Enter')
  await chat.sendNow()
  await expect(chat.dock).toContainText('1 of 2')
  await expect(chat.composer).toBeFocused()
  await chat.composer.pressSequentially('2')
  await expect(chat.composer).toHaveValue('2')
  await chat.composer.fill('')
  await option(chat, 'Minimise the question').focus()
  await press('1')
  await chat.sendNow()
  await expect(chat.dock).toContainText('Third?')
  await expect(option(chat, 'Minimise the question')).toBeFocused()
  await chat.dock.getByRole('checkbox').first().focus()
  await press('Space')
  await press('ArrowDown')
  await press('Enter')
  await press('3')
  await expect(chat.dock.getByRole('checkbox', { checked: true })).toHaveCount(3)
  await press('Control+Enter')
  await expect(chat.dock).toBeHidden()
  await expect(chat.composer).toBeFocused()
  await expect(chat.bubble('SQLite, PostgreSQL, Neither').getByRole('img', { name: 'Accepted' })).toBeVisible()
  await expect
    .poll(async () => (await hub.told('work')).slice(3))
    .toMatchObject([
      { choices: ['PostgreSQL'] },
      { choices: ['SQLite'] },
      { choices: ['SQLite', 'PostgreSQL', 'Neither'] },
    ])
})

test('[U29] an answer from elsewhere closes the dock, and a note and the reply say whose it was', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [ask('Which ones?', { options: OPTIONS, multi_select: true })])
  const [ada, bob] = await signInTwo(hub, visit)
  await bob.dock.getByRole('checkbox', { name: 'Neither' }).check()
  await ada.dock.getByRole('checkbox', { name: 'SQLite' }).check()
  await option(ada, 'Send 1 choice').click()
  await expect(bob.dock).toBeHidden()
  await expect(bob.page.getByText('Answered by ada')).toBeVisible()
  await expect(bob.composer).toBeFocused()
  await expect(bob.bubble('SQLite').last()).toContainText('ada')
  await expect(ada.bubble('SQLite').last()).not.toContainText('ada')
  await expect(ada.page.getByText('Answered by ada')).toHaveCount(0)
})

test.describe(() => {
  test.use({ killable: true })

  test('[U30] a choice made while the hub is away shows as being sent, and is sent once', async ({ hub, visit }) => {
    await hub.record('work', [ask('Which database?')])
    const chat = await visit()
    await expect(option(chat, 'SQLite')).toBeVisible()
    await hub.kill()
    await expect(chat.banner).toContainText('reconnecting')
    await option(chat, 'SQLite').click()
    await expect(chat.bubble('SQLite').getByRole('img', { name: 'Sending' })).toBeVisible()
    await chat.sendNow()
    await expect(chat.dock).toBeHidden()
    await hub.restart()
    await expect(chat.bubble('SQLite').getByRole('img', { name: 'Accepted' })).toBeVisible({ timeout: 60_000 })
    expect(await hub.told('work')).toHaveLength(2)
  })
})
