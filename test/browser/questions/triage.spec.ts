import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const say = (text: string): Body => ({ kind: 'message', author: 'assistant', by: 'agent', text })
const ask = (text: string): Body => ({ kind: 'question', by: 'agent', text })
const want = (tool_name: string): Body => ({ ...ask('May I?'), approval: { tool_name, input: '{}' } }) as Body

const LOOKS: { width: number; height: number; touch?: boolean; dark?: boolean }[] = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true, dark: true },
]

const bar = (chat: Chat) => chat.page.getByRole('region', { name: 'Answer all' })
const end = (chat: Chat) => chat.page.getByRole('region', { name: 'Nothing needs you' })
const title = (chat: Chat) => chat.page.getByRole('heading', { level: 1 })
const button = (chat: Chat, name: string) => chat.page.getByRole('button', { name: name === 'Open' ? /^Open$/ : name })
/** The call that is decided over the page. */
const card = (chat: Chat) => chat.page.getByRole('dialog', { name: /wants/ })
const focused = (chat: Chat) => card(chat).locator('section').first()
const reason = (chat: Chat) => card(chat).getByRole('textbox', { name: 'Reason to deny' })
const allow = (chat: Chat) => card(chat).getByRole('button', { name: 'Allow once' })
const awake = (chat: Chat) => expect(allow(chat)).toHaveAttribute('aria-disabled', 'false')

test('[U158] after each answer the next one opens with its context, and who comes meanwhile is last', async ({
  hub,
  connect,
  visit,
}) => {
  await hub.record('first', [...Array.from({ length: 60 }, (_, n) => say(`Step ${n}`)), ask('One?'), say('I go on.')])
  await hub.record('second', [say('Before'), ask('Two?')])
  await hub.record('third', [ask('Three?')])
  await hub.say('quiet', ['Hello'])
  const chat = await visit('/#/c/quiet')
  await expect(chat.composer).toBeVisible()
  await chat.list.getByRole('button', { name: 'Answer all (3)' }).click()
  await expect(title(chat)).toHaveText('first')
  await expect(bar(chat)).toContainText('1 of 3')
  await expect(chat.bubble('One?')).toBeInViewport()
  await expect(chat.bubble('Step 59')).toBeInViewport()
  await button(chat, 'Skip').click()
  await expect(title(chat)).toHaveText('second')
  await expect(bar(chat)).toContainText('1 of 3')
  const agent = await connect('quiet')
  void agent.ask('Four?').catch(() => {})
  await expect(bar(chat)).toContainText('1 of 4')
  await expect(chat.composer).toBeFocused()
  for (const next of ['third', 'first', 'quiet']) {
    await chat.reply(`To ${next}`)
    await expect(title(chat)).toHaveText(next)
    await expect(chat.composer).toBeFocused()
  }
  await expect(bar(chat)).toContainText('4 of 4')
  await chat.reply('Yes')
  await expect(end(chat)).toContainText('4 conversations go on')
  expect(await violations(chat.page)).toEqual([])
  await expect(button(chat, 'Back to where you were')).toBeFocused()
  await chat.page.keyboard.press('Enter')
  await expect(end(chat)).toBeHidden()
  await expect(title(chat)).toHaveText('quiet')
})

test('[U159] nothing moves on under two clicks, nor while something is written', async ({ hub, visit }) => {
  for (const name of ['first', 'second', 'third', 'fourth']) await hub.record(name, [want('Bash')])
  const chat = await visit('/#/c/first')
  await expect(chat.composer).toBeVisible()
  await button(chat, 'Answer all').click()
  await expect(card(chat)).toContainText('first')
  await allow(chat).dblclick()
  await expect(card(chat)).toContainText('second')
  await expect(bar(chat)).toContainText('2 of 4')
  await expect(focused(chat)).toBeFocused()
  await reason(chat).fill('A thought')
  const other = await visit('/#/c/second')
  await other.canAllow()
  await other.dock.getByRole('button', { name: 'Allow once' }).click()
  await expect(button(chat, 'Next')).toBeVisible()
  await reason(chat).press('End')
  await expect(reason(chat)).toHaveValue('A thought')
  await button(chat, 'Next').click()
  await expect(card(chat)).toContainText('third')
  await expect(reason(chat)).toHaveValue('')
  await button(chat, 'Open').click()
  await expect(title(chat)).toHaveText('third')
  await expect(chat.dock).toBeFocused()
  await chat.composer.fill('A thought')
  await chat.canAllow()
  await chat.dock.getByRole('button', { name: 'Allow once' }).click()
  await expect(chat.dock).toBeHidden()
  await expect(button(chat, 'Next')).toBeVisible()
  await chat.composer.press('Enter')
  await expect(card(chat)).toContainText('fourth')
  await expect(chat.composer).toHaveValue('')
})

test('[U160] Escape, Back and Done lead back to where one was, and who goes elsewhere has left', async ({
  hub,
  visit,
}) => {
  for (const name of ['first', 'second']) await hub.record(name, [want('Bash')])
  await hub.record(
    'long',
    Array.from({ length: 80 }, (_, n) => say(`Line ${n}`)),
  )
  const chat = await visit('/#/c/long')
  await expect(chat.composer).toBeVisible()
  await chat.scrollToTop(chat.bubble('Line 0').first())
  const leave = [() => chat.page.keyboard.press('Escape'), () => chat.page.goBack(), () => button(chat, 'Done').click()]
  const seen = [
    async () => expect(focused(chat)).toBeFocused(),
    async () => {
      await button(chat, 'Open').click()
      await expect(title(chat)).toHaveText('first')
      await expect(chat.dock).toBeFocused()
    },
  ]
  for (const [go, see] of leave.flatMap((go) => seen.map((see) => [go, see] as const))) {
    await button(chat, 'Answer all').click()
    await expect(card(chat)).toContainText('first')
    await see()
    await go()
    await expect(bar(chat)).toBeHidden()
    await expect(card(chat)).toBeHidden()
    await expect(title(chat)).toHaveText('long')
    await expect(chat.page).toHaveURL(/#\/c\/long$/)
    await expect(chat.bubble('Line 0').first()).toBeInViewport()
    // It rests there by then.
    await chat.seen()
  }
  await button(chat, 'Answer all').click()
  await button(chat, 'Open').click()
  await expect(title(chat)).toHaveText('first')
  await chat.list.getByRole('link', { name: 'second' }).click()
  await expect(title(chat)).toHaveText('second')
  await expect(bar(chat)).toBeHidden()
})

for (const look of few(
  [
    { width: 390, height: 844, touch: true },
    { width: 390, height: 400, touch: true },
    { width: 360, height: 225, dark: true },
  ],
  34,
)) {
  test(`[U161] it goes by thumb, with everything in reach (${look.width} × ${look.height})`, async ({ hub, visit }) => {
    for (const name of ['first', 'second', 'third']) await hub.record(name, [say('Before'), want('Bash')])
    await hub.say('quiet', ['Hello'])
    const chat = await visit('/#/c/quiet', look)
    await expect(chat.composer).toBeVisible()
    await button(chat, 'Show the conversations').click()
    await button(chat, 'Answer all').click()
    await expect(bar(chat)).toContainText('1 of 3')
    const isInReach = async (names: string[]) => {
      for (const name of names) {
        const control = button(chat, name)
        await expect(control).toBeInViewport({ ratio: 1 })
        if (look.touch) expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      }
      expect(await violations(chat.page)).toEqual([])
    }
    await isInReach(['Skip', 'Done', 'Open', 'Allow once', 'Deny'])
    await awake(chat)
    await allow(chat).click()
    await expect(bar(chat)).toContainText('2 of 3')
    await button(chat, 'Open').click()
    await expect(title(chat)).toHaveText('second')
    await isInReach(['Skip', 'Done', 'Allow once', 'Deny'])
    await chat.canAllow()
    await button(chat, 'Allow once').click()
    await expect(bar(chat)).toContainText('3 of 3')
    await awake(chat)
    await allow(chat).click()
    await button(chat, 'Back to where you were').click()
    await expect(chat.bubble('Hello')).toBeVisible()
  })
}

test('[U162] it goes by keyboard alone: a key begins it, answers, skips and leaves', async ({ hub, visit }) => {
  for (const name of ['first', 'second']) await hub.record(name, [want('Bash')])
  await hub.record('third', [ask('Three?')])
  const chat = await visit('/#/c/third')
  await expect(chat.composer).toBeVisible()
  await chat.page.keyboard.press('N')
  await expect(card(chat)).toContainText('first')
  await expect(focused(chat)).toBeFocused()
  await awake(chat)
  await chat.page.keyboard.press('a')
  await expect(card(chat)).toContainText('second')
  await expect(focused(chat)).toBeFocused()
  await chat.page.keyboard.press('n')
  await expect(title(chat)).toHaveText('third')
  await expect(chat.composer).toBeFocused()
  await chat.reply('Yes')
  await expect(card(chat)).toContainText('second')
  await expect(bar(chat)).toContainText('3 of 3')
  await expect(focused(chat)).toBeFocused()
  await chat.page.keyboard.press('Escape')
  await expect(bar(chat)).toBeHidden()
  await expect(title(chat)).toHaveText('third')
})

const ALL = [...LOOKS, { width: 820, height: 1000, dark: true }]

for (const look of few(ALL, 2)) {
  test(`[U440] calls are allowed and denied one after the other, and no conversation is opened (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    test.slow()
    const long = {
      ...want('Write'),
      approval: { tool_name: 'Write', input: JSON.stringify({ text: 'word '.repeat(4000) }) },
    }
    await hub.record('first', [want('Read'), long as Body])
    for (const name of ['second', 'third']) await hub.record(name, [want('Bash')])
    await hub.say('quiet', ['Hello'])
    const chat = await visit('/#/c/quiet', look)
    await expect(chat.composer).toBeVisible()
    if (look.width < 820) await button(chat, 'Show the conversations').click()
    await button(chat, 'Answer all').click()
    await expect(card(chat)).toContainText('wants to use Read')
    expect(await violations(chat.page)).toEqual([])
    await awake(chat)
    await allow(chat).click()
    // The other call of the same conversation is next, and is not allowed unseen.
    await expect(card(chat)).toContainText('Scroll to the end before you allow it')
    await expect(bar(chat)).toContainText('1 of 3')
    await allow(chat).click({ force: true })
    await expect(allow(chat)).toHaveAttribute('aria-disabled', 'true')
    await reason(chat).fill('Too long')
    await reason(chat).press('Enter')
    await expect(card(chat)).toContainText('second')
    await expect(reason(chat)).toHaveValue('')
    await reason(chat).press('Enter')
    await chat.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Deny(?! with)/ })
      .click()
    await expect(card(chat)).toContainText('third')
    await awake(chat)
    await allow(chat).click()
    await expect(end(chat)).toContainText('3 conversations go on')
    await expect(chat.page.getByRole('dialog')).toHaveCount(0)
    await button(chat, 'Back to where you were').click()
    await expect(title(chat)).toHaveText('quiet')
    const ends = async (name: string) => (await hub.told(name)).filter(({ kind }) => kind === 'settlement')
    expect(await ends('first')).toMatchObject([{ outcome: 'approved' }, { outcome: 'denied', reason: 'Too long' }])
    const [denied] = await ends('second')
    expect(denied).toMatchObject({ outcome: 'denied' })
    expect(denied).not.toHaveProperty('reason')
    expect(await ends('third')).toMatchObject([{ outcome: 'approved' }])
  })
}

for (const look of few(LOOKS, 1)) {
  test(`[U384] quick replies are chosen by their number, and can be taken back while others are asked (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    const offer = (text: string) => ({ ...ask(text), quick_replies: ['Yes', 'No'] })
    for (const name of ['first', 'second', 'third']) await hub.record(name, [offer(`${name}?`)])
    const chat = await visit('/#/c/third', look)
    await expect(chat.composer).toBeVisible()
    await chat.page.keyboard.press('Alt+Shift+Enter')
    await expect(title(chat)).toHaveText('first')
    if (!look.touch) await expect(chat.dock).toBeFocused()
    await expect(chat.dock).toContainText('first?')
    await chat.page.keyboard.press('1')
    await expect(title(chat)).toHaveText('second')
    await expect(chat.composer).toHaveValue('')
    await expect(bar(chat)).toContainText('Sending… “Yes”')
    await expect(button(chat, 'Undo')).toBeInViewport({ ratio: 1 })
    expect(await violations(chat.page)).toEqual([])
    await chat.page.keyboard.press('Escape')
    await expect(title(chat)).toHaveText('first')
    await expect(bar(chat)).toContainText('1 of 3')
    await expect(chat.dock).toContainText('first?')
    for (const [next, key] of [
      ['second', '2'],
      ['third', '1'],
    ] as const) {
      await chat.page.keyboard.press(key)
      await expect(title(chat)).toHaveText(next)
    }
    expect(await hub.told('first')).toHaveLength(1)
    await chat.page.keyboard.press('1')
    await expect(end(chat)).toContainText('3 conversations go on')
    await button(chat, 'Back to where you were').click()
    for (const [name, reply] of [
      ['first', 'No'],
      ['second', 'Yes'],
      ['third', 'Yes'],
    ] as const) {
      await expect.poll(async () => (await hub.told(name))[1]).toMatchObject({ reply })
    }
  })
}
