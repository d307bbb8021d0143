import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const LOOKS = [
  { width: 820, height: 900, dark: true },
  { width: 390, height: 844, touch: true },
]

const ask = (text: string): Body => ({ kind: 'question', by: 'agent', text })
const say = (text: string): Body => ({ kind: 'message', author: 'assistant', by: 'agent', text })
const queue = (chat: Chat) => chat.list.getByRole('region', { name: 'Needs you' })
const title = (chat: Chat) => chat.page.getByRole('heading', { level: 1 })

for (const look of few(LOOKS, 18)) {
  const kind = `${look.width} px, ${look.dark ? 'dark' : 'light'}`

  test(`[U43] who waits for the person is on top of the list, the longest wait first (${kind})`, async ({
    hub,
    visit,
  }) => {
    await hub.record('first', [ask('Since when?'), ask('And why?')])
    await hub.record('second', [{ ...ask('May I?'), approval: { tool_name: 'Bash', input: '{}' } } as Body])
    await hub.record('third', [say('Nothing to ask')])
    const chat = await visit('/#/c/third', look)
    await expect(chat.bubble('Nothing to ask')).toBeVisible()
    if (look.width < 820) {
      const menu = chat.page.getByRole('button', { name: 'Show the conversations, open questions: 3' })
      await expect(menu).toContainText('3')
      await menu.click()
    }
    await expect(queue(chat).getByRole('link')).toHaveText([
      /first.*waits now.*Since when\?.*2 open/s,
      /second.*waits now.*Bash.*1 open/s,
    ])
    expect(await violations(chat.page)).toEqual([])
    await queue(chat).getByRole('link', { name: 'first' }).click()
    await expect(title(chat)).toHaveText('first')
    if (look.width < 820) await expect(queue(chat)).toBeHidden()
    await chat.dock.getByRole('button', { name: 'Next question' }).click()
    await chat.composer.fill('Because')
    await chat.composer.press('Control+Enter')
    await expect(chat.dock).toContainText('Since when?')
    if (look.width >= 820) await expect(queue(chat).getByRole('link', { name: 'first' })).toContainText('1 open')
  })
}

test('[U43] a shortcut goes round those who wait, and who writes goes on writing', async ({ hub, visit }) => {
  await hub.record('first', [ask('One?')])
  await hub.record('second', [ask('Two?')])
  await hub.record('third', [say('Nothing to ask')])
  const chat = await visit('/#/c/third')
  await expect(chat.bubble('Nothing to ask')).toBeVisible()
  for (const next of ['first', 'second', 'first']) {
    await chat.page.keyboard.press('n')
    await expect(title(chat)).toHaveText(next)
  }
  await chat.composer.fill('n')
  await chat.composer.press('Alt+Shift+ArrowDown')
  await expect(title(chat)).toHaveText('second')
  await expect(chat.composer).toBeFocused()
  await chat.page.keyboard.type('two')
  await chat.composer.press('Enter')
  await expect(queue(chat).getByRole('link')).toHaveCount(1)
  await chat.composer.press('Alt+Shift+ArrowDown')
  await expect(chat.composer).toHaveValue('n')
  await chat.composer.press('Enter')
  await expect(queue(chat)).toBeHidden()
})

test('[U12] another conversation shows how much is new in it, and tools and receipts are not', async ({
  hub,
  connect,
  visit,
}) => {
  await hub.say('shown', ['Hello'])
  const chat = await visit()
  await expect(chat.bubble('Hello')).toBeVisible()
  const agent = await connect('work')
  void agent.ask('One?').catch(() => {})
  const item = chat.list.getByRole('listitem').filter({ hasText: 'work' })
  await expect(item).toContainText('1 new')
  await chat.page.reload()
  await expect(item).toContainText('1 new')
  await item.getByRole('link').click()
  await expect(chat.bubble('One?')).toBeVisible()
  await chat.list.getByRole('link', { name: 'shown' }).click()
  await expect(chat.bubble('Hello')).toBeVisible()
  await expect(item).not.toContainText('new')
  await chat.page.goto('about:blank')
  await hub.record('busy', [
    { kind: 'tool_call', by: 'agent', tool_name: 'Bash', tool_args: '{}' },
    { kind: 'tool_result', by: 'agent', tool_name: 'Bash', result: 'ok', success: true },
    say('Done'),
  ])
  await chat.page.goto(`${hub.url}/#/c/shown`)
  await expect(chat.list.getByRole('listitem').filter({ hasText: 'busy' })).toContainText('1 new')
})

test('[U83] rows stay under the hand, whatever is said meanwhile, and find their place when it is gone', async ({
  hub,
  connect,
  visit,
}) => {
  for (const name of ['one', 'two', 'three']) await hub.say(name, ['Hello'])
  const chat = await visit('/#/c/one')
  const rows = chat.list.getByRole('link')
  await expect(rows).toHaveText([/^\s*three/, /^\s*two/, /^\s*one/])
  await chat.list.getByRole('link', { name: 'two' }).hover()
  const agent = await connect('one')
  void agent.ask('Well?').catch(() => {})
  await expect(chat.dock).toContainText('Well?')
  await expect(rows).toHaveText([/^\s*three/, /^\s*two/, /^\s*one.*Well\?/s])
  await chat.composer.hover()
  await expect(rows).toHaveText([/^\s*one/, /^\s*three/, /^\s*two/])
})
