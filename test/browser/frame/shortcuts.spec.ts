import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const title = (chat: Chat) => chat.page.getByRole('heading', { level: 1 })
const sheet = (chat: Chat) => chat.page.getByRole('dialog', { name: 'Keyboard shortcuts' })

async function threeConversations(
  hub: { say(conversation: string, texts: string[]): Promise<void> },
  open: () => Promise<Chat>,
) {
  for (const name of ['third', 'second', 'first']) await hub.say(name, [`Hello ${name}`])
  const chat = await open()
  await expect(title(chat)).toHaveText('first')
  return chat
}

test('[U48] keys lead to the next and the previous conversation and to the composer', async ({ hub, visit }) => {
  const chat = await threeConversations(hub, visit)
  await chat.page.keyboard.press('j')
  await expect(title(chat)).toHaveText('second')
  await chat.page.keyboard.press('Alt+ArrowDown')
  await expect(title(chat)).toHaveText('third')
  await chat.page.keyboard.press('Alt+ArrowDown')
  await chat.page.keyboard.press('k')
  await expect(title(chat)).toHaveText('second')
  await chat.page.keyboard.press('c')
  await expect(chat.composer).toBeFocused()
  await expect(chat.composer).toHaveValue('')
  await chat.page.keyboard.type('jk?nct')
  await expect(chat.composer).toHaveValue('jk?nct')
  await expect(title(chat)).toHaveText('second')
  await chat.page.keyboard.press('Alt+ArrowUp')
  await expect(title(chat)).toHaveText('first')
  await expect(chat.composer).toBeFocused()
})

test('[U382] no letter of a word is a command: it is written, whatever has the focus', async ({ hub, visit }) => {
  const approval = { tool_name: 'Bash', input: '{"command":"ls"}' }
  await hub.record('work', [{ kind: 'question', by: 'claude', text: 'May I?', approval }])
  const chat = await visit()
  const theme = chat.page.locator('html')
  const before = await theme.getAttribute('data-theme')
  for (const place of [chat.timeline, chat.dock, chat.dock.getByRole('button', { name: /^Allow once/ })]) {
    await chat.canAllow()
    await place.focus()
    await chat.page.keyboard.type('a test, done')
    await expect(chat.composer).toBeFocused()
    await expect(chat.composer).toHaveValue('a test, done')
    await chat.composer.fill('')
  }
  await chat.dock.getByRole('button', { name: 'Show on the full screen' }).click()
  await chat.canAllow()
  await chat.page.keyboard.type('added')
  await chat.page.keyboard.press('Escape')
  await expect(theme).toHaveAttribute('data-theme', String(before))
  await expect(chat.dock).toContainText('wants to use Bash')
  expect(await hub.told('work')).toHaveLength(1)
  await expect(chat.composer).toHaveValue('')
})

test('[U48] a key changes the theme', async ({ hub, visit }) => {
  const chat = await threeConversations(hub, visit)
  const theme = chat.page.locator('html')
  for (const next of ['light', 'dark', 'system']) {
    await chat.page.keyboard.press('t')
    await expect(theme).toHaveAttribute('data-theme', next)
  }
})

for (const look of few([{ dark: true }, { width: 390, height: 844 }], 29)) {
  const kind = look.width ? 'on a phone' : 'in the dark'

  test(`[U49] ? shows all shortcuts, and Escape closes them (${kind})`, async ({ hub, visit }) => {
    const chat = await threeConversations(hub, () => visit('/', look))
    await chat.page.keyboard.press('?')
    await expect(sheet(chat)).toBeVisible()
    for (const says of [
      'needs you',
      'Next conversation',
      'Previous',
      'Write',
      'Stop',
      'dark',
      'Keyboard shortcuts',
      'New line',
    ]) {
      await expect(sheet(chat)).toContainText(says)
    }
    expect(await violations(chat.page)).toEqual([])
    await chat.page.keyboard.press('j')
    await chat.page.keyboard.press('Escape')
    await expect(sheet(chat)).toBeHidden()
    await expect(title(chat)).toHaveText('first')
    await chat.composer.fill('words')
    await chat.composer.press('Control+/')
    await expect(sheet(chat)).toBeVisible()
    await chat.page.keyboard.press('Escape')
    await expect(chat.composer).toBeFocused()
    await expect(chat.composer).toHaveValue('words')
  })
}

test('[U49] single letters can be turned off, and the rest still works', async ({ hub, visit }) => {
  const chat = await threeConversations(hub, visit)
  await chat.page.getByRole('button', { name: 'Settings' }).click()
  await chat.page.getByRole('checkbox', { name: 'Single letters as shortcuts' }).uncheck()
  await chat.page.getByRole('button', { name: 'Show all shortcuts' }).click()
  await expect(sheet(chat)).toContainText('Next conversation')
  await expect(sheet(chat)).not.toContainText('Write a message')
  await chat.page.keyboard.press('Escape')
  await expect(chat.page.getByRole('dialog')).toBeHidden()
  await chat.page.keyboard.press('j')
  await chat.page.keyboard.press('Alt+ArrowDown')
  await expect(title(chat)).toHaveText('second')
})
