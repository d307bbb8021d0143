import type { Body } from '../../../src/protocol/entries/entry.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const OPTIONS = [{ label: 'Left' }, { label: 'Right' }]
const LONG = { content: Array.from({ length: 200 }, (_, n) => `line ${n}`).join('\n') }

function want(tool_name: string, input: object = { command: 'ls' }): Body {
  return { kind: 'question', by: 'claude', text: 'May I?', approval: { tool_name, input: JSON.stringify(input) } }
}

const ask = (text: string): Body => ({ kind: 'question', by: 'claude', text, options: OPTIONS })
const button = (chat: Chat, name: string) => chat.dock.getByRole('button', { name, exact: true })
const chipOf = (chat: Chat) => chat.page.getByRole('button', { name: /^(Message|Reply to|Reason to deny)/ })
const press = (chat: Chat, key: string) => chat.page.keyboard.press(key)

test('[U89] a number chooses an option from wherever nobody types, and the focus stays there', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [ask('First?'), ask('Second?'), want('Bash')])
  const chat = await visit()
  await expect(chat.dock).toContainText('First?')
  await chat.timeline.focus()
  await press(chat, '2')
  await chat.sendNow()
  await expect(chat.dock).toContainText('Second?')
  await expect(chat.timeline).toBeFocused()
  await press(chat, '1')
  await chat.sendNow()
  await expect(chat.dock).toContainText('Claude wants to use Bash')
  await chat.canAllow()
  await press(chat, '1')
  await expect(chat.dock).toBeHidden()
  await expect
    .poll(async () => (await hub.told('work')).slice(3))
    .toMatchObject([{ choices: ['Right'] }, { choices: ['Left'] }, { outcome: 'approved' }])
})

test('[U89] a number means nothing in a text, with a modifier, while it is held, or under a dialog', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [ask('First?'), ask('Second?')])
  const chat = await visit()
  await expect(chat.dock).toContainText('1 of 2')
  await chat.composer.pressSequentially('12')
  await expect(chat.composer).toHaveValue('12')
  await chat.timeline.focus()
  for (const key of ['Control+1', 'Alt+1', 'Meta+1', '3']) await press(chat, key)
  await chat.timeline.dispatchEvent('keydown', { key: '1', bubbles: true, isComposing: true })
  await chat.timeline.dispatchEvent('keydown', { key: '1', bubbles: true, repeat: true })
  await press(chat, '?')
  await expect(chat.page.getByRole('dialog')).toContainText('Choose an option')
  await expect(chat.page.getByRole('dialog')).toContainText('Allow the call')
  await press(chat, '1')
  await press(chat, 'Escape')
  await expect(chat.page.getByRole('dialog')).toBeHidden()
  await expect(chat.dock).toContainText('1 of 2')
  expect(await hub.told('work')).toHaveLength(2)
})

test('[U90] a allows and d denies while the focus is in the dock, and the buttons say so', async ({ hub, visit }) => {
  await hub.record('work', [want('Bash'), want('Write'), want('Edit')])
  const chat = await visit()
  await expect(chat.dock).toContainText('1 of 3')
  const hint = button(chat, 'Allow once').locator('kbd')
  await expect(hint).toHaveText('1', { useInnerText: true })
  await chat.timeline.focus()
  await press(chat, 'a')
  await chat.composer.press('Escape')
  await expect(chat.dock).toBeFocused()
  await expect(hint).toHaveText('A', { useInnerText: true })
  await expect(button(chat, 'Deny').locator('kbd')).toHaveText('D', { useInnerText: true })
  await expect(button(chat, 'Allow once')).toHaveAttribute('aria-keyshortcuts', 'A')
  expect(await violations(chat.page)).toEqual([])
  for (const key of ['Control+a', 'Shift+A', 'Alt+a']) await press(chat, key)
  await chat.canAllow()
  await press(chat, 'a')
  await expect(chat.dock).toContainText('Claude wants to use Write')
  await expect(chat.dock).toBeFocused()
  await button(chat, 'Edit').focus()
  await chat.canAllow()
  await press(chat, 'a')
  await expect(chat.dock).toContainText('Claude wants to use Edit')
  await expect(chat.dock).toBeFocused()
  await press(chat, 'd')
  await expect(chipOf(chat)).toHaveText(/^Reason to deny “Edit”/)
  await expect(chat.composer).toBeFocused()
  await expect(chat.composer).toHaveValue('')
  await press(chat, 'Enter')
  await expect(chat.bubble('Edit')).toContainText('Denied by you')
  await expect
    .poll(async () => (await hub.told('work')).slice(3))
    .toMatchObject([{ outcome: 'approved' }, { outcome: 'approved' }, { outcome: 'denied' }])
})

test('[U90] without single letters a and d mean nothing, and numbers count in the dock alone', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [want('Bash'), want('Write')])
  const chat = await visit()
  await chat.page.evaluate(() => localStorage.setItem('parley.letters', 'off'))
  await chat.page.reload()
  await expect(chat.dock).toContainText('1 of 2')
  await chat.timeline.focus()
  await press(chat, '1')
  await chat.composer.press('Escape')
  await expect(chat.dock).toBeFocused()
  await press(chat, 'a')
  await press(chat, 'd')
  await expect(button(chat, 'Allow once').locator('kbd')).toHaveText('1', { useInnerText: true })
  await expect(chipOf(chat)).toBeHidden()
  expect(await hub.told('work')).toHaveLength(2)
  await chat.canAllow()
  await press(chat, '1')
  await expect(chat.dock).toContainText('Claude wants to use Write')
})

test('[A27] keys allow nothing whose end was not seen: they scroll on', async ({ hub, visit }) => {
  await hub.record('work', [want('Write', LONG)])
  const chat = await visit()
  const shown = chat.dock.getByRole('group', { name: 'Arguments' })
  await expect(button(chat, 'Allow once')).toHaveAttribute('aria-disabled', 'true')
  await chat.composer.press('Escape')
  let top = 0
  for (const key of ['a', '1', 'a']) {
    await press(chat, key)
    await expect.poll(() => shown.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(top)
    top = await shown.evaluate(({ scrollTop }) => scrollTop)
  }
  expect(await hub.told('work')).toHaveLength(1)
})

test('[U91] the first stop of Tab leads to the message box', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  await expect(chat.bubble('Hello')).toBeVisible()
  const skip = chat.page.getByRole('link', { name: 'Skip to the message box' })
  await press(chat, 'Tab')
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport({ ratio: 1 })
  expect(await violations(chat.page)).toEqual([])
  const address = chat.page.url()
  await press(chat, 'Enter')
  await expect(chat.composer).toBeFocused()
  expect(chat.page.url()).toBe(address)
})

test('[U92] Escape leaves the composer for the timeline, and the draft stays', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  await chat.composer.fill('half a sen')
  await chat.composer.dispatchEvent('keydown', { key: 'Escape', bubbles: true, isComposing: true })
  await expect(chat.composer).toBeFocused()
  await press(chat, 'Escape')
  await expect(chat.timeline).toBeFocused()
  await press(chat, 'c')
  await expect(chat.composer).toBeFocused()
  await expect(chat.composer).toHaveValue('half a sen')
})

test('[U92] Escape leaves the composer for the dock, and first takes a denial back', async ({ hub, visit }) => {
  await hub.record('work', [want('Bash')])
  const chat = await visit()
  await expect(chat.dock).toBeVisible()
  await chat.composer.fill('half a sen')
  await press(chat, 'Escape')
  await expect(chat.dock).toBeFocused()
  await press(chat, 'd')
  await expect(chipOf(chat)).toHaveText(/^Reason to deny/)
  await press(chat, 'Escape')
  await expect(chat.composer).toBeFocused()
  await expect(chipOf(chat)).toHaveText(/^Message/)
  await press(chat, 'Escape')
  await expect(chat.dock).toBeFocused()
  await expect(chat.composer).toHaveValue('half a sen')
  expect(await hub.told('work')).toHaveLength(1)
})
