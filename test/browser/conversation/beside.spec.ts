import type { Body } from '../../../src/protocol/entries/entry.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const WIDE = { width: 1720, height: 900 }
const said = (text: string): Body => ({ kind: 'message', author: 'assistant', by: 'agent', text })
const which: Body = {
  kind: 'question',
  by: 'agent',
  text: 'Which one?',
  options: [{ label: 'Left' }, { label: 'Right' }],
}

function secondOn({ page }: Chat) {
  const pane = page.getByRole('region', { name: 'Second conversation' })
  return {
    pane,
    title: pane.getByRole('heading', { level: 2 }).first(),
    composer: pane.getByRole('textbox', { name: 'Message' }),
    dock: pane.getByRole('region', { name: 'Open question' }),
    close: pane.getByRole('button', { name: 'Close the second conversation' }),
    button: page.getByRole('button', { name: 'Second conversation', exact: true }),
  }
}

const first = ({ page }: Chat) => page.getByRole('main').getByRole('textbox', { name: 'Message' })
const title = ({ page }: Chat) => page.getByRole('heading', { level: 1 })
const row = ({ list }: Chat, name: string) => list.getByRole('link', { name })

test('[U134] a second conversation opens by button, key and Alt-click, and each has its own composer', async ({
  hub,
  visit,
}) => {
  await hub.recordAll({ third: [said('Three')], second: [said('Two')], first: [said('One')] })
  const chat = await visit('/favicon.svg', WIDE)
  const loaded: string[] = []
  chat.page.on('request', (request) => loaded.push(request.url()))
  await chat.page.goto(`${hub.url}/#/c/first`)
  const { pane, title: name, composer, close, button } = secondOn(chat)
  await expect(first(chat)).toBeVisible()
  expect(loaded.filter((url) => /Beside/.test(url))).toEqual([])
  await button.click()
  await expect(name).toHaveText('second')
  await expect(pane).toContainText('Two')
  await composer.fill('To the second')
  await composer.press('Enter')
  await first(chat).fill('To the first')
  await first(chat).press('Enter')
  await expect(pane.getByRole('article').filter({ hasText: 'To the second' })).toBeVisible()
  await expect(chat.page.getByRole('main').getByRole('article').filter({ hasText: 'To the first' })).toBeVisible()
  await expect.poll(async () => (await hub.told('second')).at(-1)).toMatchObject({ text: 'To the second' })
  await expect.poll(async () => (await hub.told('first')).at(-1)).toMatchObject({ text: 'To the first' })
  expect(await violations(chat.page)).toEqual([])
  await row(chat, 'third').click({ modifiers: ['Alt'] })
  await expect(name).toHaveText('third')
  await expect(title(chat)).toHaveText('first')
  await composer.focus()
  await close.click()
  await expect(pane).toBeHidden()
  await expect(first(chat)).toBeFocused()
  await chat.page.keyboard.press('Control+\\')
  await expect(pane).toBeVisible()
  await chat.page.keyboard.press('Control+\\')
  await expect(pane).toBeHidden()
})

test('[U135] keys, numbers and files go to the conversation that has the focus', async ({ hub, visit }) => {
  await hub.recordAll({ third: [said('Three')], second: [said('Two'), which], first: [said('One'), which] })
  const chat = await visit('/#/c/first/beside/second', WIDE)
  const { pane, title: name, composer, dock } = secondOn(chat)
  const main = chat.page.getByRole('main')
  await expect(dock).toBeVisible()
  await expect(main.getByRole('region', { name: 'Open question' })).toBeVisible()
  expect(await violations(chat.page)).toEqual([])
  await pane.getByRole('region', { name: 'Messages' }).focus()
  await chat.page.keyboard.press('2')
  await chat.sendNow()
  await expect(dock).toBeHidden()
  await expect(main.getByRole('region', { name: 'Open question' })).toBeVisible()
  await expect.poll(async () => (await hub.told('second')).at(-1)).toMatchObject({ kind: 'settlement', reply: 'Right' })
  await chat.page.keyboard.press('c')
  await expect(composer).toBeFocused()
  await main.getByRole('region', { name: 'Messages' }).focus()
  await chat.page.keyboard.press('1')
  await chat.sendNow()
  await expect(main.getByRole('region', { name: 'Open question' })).toBeHidden()
  await expect.poll(async () => (await hub.told('first')).at(-1)).toMatchObject({ kind: 'settlement', reply: 'Left' })
  await composer.focus()
  await chat.page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['Notes'], 'notes.md'))
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  })
  await expect(pane.getByText('notes.md')).toBeVisible()
  await expect(main.getByText('notes.md')).toHaveCount(0)
  await chat.page.keyboard.press('Alt+ArrowDown')
  await expect(name).toHaveText('third')
  await expect(composer).toBeFocused()
  await expect(title(chat)).toHaveText('first')
})

test('[U136] the address has both, and where there is no room only the first is shown', async ({ hub, visit }) => {
  await hub.recordAll({ third: [said('Three')], second: [said('Two')], first: [said('One')] })
  const chat = await visit('/#/c/first', WIDE)
  const { pane, title: name } = secondOn(chat)
  await expect(first(chat)).toBeVisible()
  await row(chat, 'second').click({ modifiers: ['Alt'] })
  await expect(name).toHaveText('second')
  expect(new URL(chat.page.url()).hash).toBe('#/c/first/beside/second')
  await row(chat, 'third').click()
  await expect(title(chat)).toHaveText('third')
  await expect(name).toHaveText('second')
  await chat.page.reload()
  await expect(pane).toContainText('Two')
  await expect(title(chat)).toHaveText('third')
  await chat.page.setViewportSize({ width: 1400, height: 900 })
  await expect(pane).toBeHidden()
  await expect(secondOn(chat).button).toBeHidden()
  await chat.page.setViewportSize(WIDE)
  await expect(name).toHaveText('second')
  await chat.page.evaluate(() => history.back())
  await expect(title(chat)).toHaveText('first')
  await expect(name).toHaveText('second')
  await chat.page.evaluate(() => history.back())
  await expect(pane).toBeHidden()
  await expect(title(chat)).toHaveText('first')
  await chat.page.evaluate(() => history.forward())
  await expect(name).toHaveText('second')
})
