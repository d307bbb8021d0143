import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const button = (chat: Chat, text: string, name: string) => chat.bubble(text).getByRole('button', { name })

test('[U170] [U235] one’s own message is taken back and changed, by mouse and keyboard, also once the agent has it', async ({
  hub,
  connect,
  visit,
}) => {
  await hub.report('work', ['Hello'])
  const chat = await visit('/')
  for (const text of ['Secret', 'Frist']) await chat.reply(text)
  await expect(chat.bubble('Frist').getByRole('img', { name: 'Accepted' })).toBeVisible()
  await chat.bubble('Secret').hover()
  await button(chat, 'Secret', 'Take this message back').click()
  await expect(chat.bubble('Taken back')).toBeVisible()
  await expect(chat.bubble('Secret')).toHaveCount(0)
  expect(await violations(chat.page)).toEqual([])
  await button(chat, 'Frist', 'Change this message').focus()
  await chat.page.keyboard.press('Enter')
  await expect(chat.composer).toBeFocused()
  await expect(chat.composer).toHaveValue('Frist')
  await expect(chat.page.getByRole('button', { name: 'Change “Frist”' })).toBeVisible()
  await chat.reply('First')
  await expect(chat.bubble('First')).toContainText('edited')
  const agent = await connect('work')
  const answer = agent.call('What now?')
  await expect(chat.dock).toContainText('What now?')
  await chat.reply('Go on')
  expect(await answer).toMatchObject({ reply: 'Go on', earlier_messages: [{ text: 'First' }] })
  await expect(chat.bubble('First').getByRole('img', { name: 'Delivered' })).toBeVisible()
  const change = button(chat, 'First', 'Change this message')
  await expect(change).toHaveAttribute('title', /the agent has this, and is sent your change as a new message/)
  await chat.bubble('First').hover()
  await change.click()
  await expect(chat.page.getByRole('button', { name: 'Send a correction of “First”' })).toBeVisible()
  await expect(chat.promise).toHaveText('The agent has this message; your change is sent as a new one')
  expect(await violations(chat.page)).toEqual([])
  await chat.reply('First of all')
  const sent = chat.timeline.getByRole('article').filter({ hasText: 'A change to “First”' })
  await expect(sent).toContainText('First of all')
  await expect(sent.getByRole('img', { name: 'Accepted' })).toBeVisible()
  expect(await violations(chat.page)).toEqual([])
  const next = agent.call('And now?')
  await expect(chat.dock).toContainText('And now?')
  await chat.reply('Thanks')
  expect(await next).toMatchObject({ reply: 'Thanks', earlier_messages: [{ revises: 'First' }] })
  await expect(sent.getByRole('img', { name: 'Delivered' })).toBeVisible()
})

test('[U171] what was taken back can be written again', async ({ hub, visit }) => {
  await hub.report('work', ['Hello'])
  const chat = await visit('/')
  await chat.reply('Never mind')
  await chat.bubble('Never mind').hover()
  await button(chat, 'Never mind', 'Take this message back').click()
  await chat.bubble('Taken back').hover()
  await button(chat, 'Taken back', 'Write this message again').click()
  await expect(chat.composer).toHaveValue('Never mind')
  await expect(chat.composer).toBeFocused()
})

test('[U173] the arrow up in an empty composer changes the last message, and Escape leaves it as it was', async ({
  hub,
  connect,
  visit,
}) => {
  await hub.report('work', ['Hello'])
  const chat = await visit('/')
  await chat.reply('One')
  await chat.reply('Two')
  await expect(chat.bubble('Two').getByRole('img', { name: 'Accepted' })).toBeVisible()
  await chat.composer.press('ArrowUp')
  await expect(chat.composer).toHaveValue('Two')
  await expect(chat.promise).toHaveText('Changes your message')
  await chat.composer.press('Escape')
  await expect(chat.composer).toHaveValue('')
  await expect(chat.page.getByRole('button', { name: 'Change “' })).toHaveCount(0)
  const answer = (await connect('work')).ask('Which?', ['Left', 'Right'])
  await expect(chat.dock).toBeVisible()
  await chat.composer.press('ArrowUp')
  await expect(chat.dock.getByRole('button', { name: 'Left' })).toBeFocused()
  await chat.page.keyboard.press('Enter')
  await chat.sendNow()
  expect(await answer).toBe('Left')
})

test('[U174] a change that is refused is told, and its words are kept', async ({ hub, visit }) => {
  await hub.report('work', ['Hello'])
  const chat = await visit('/')
  const other = await visit('/')
  await chat.reply('Old')
  await expect(chat.bubble('Old').getByRole('img', { name: 'Accepted' })).toBeVisible()
  await chat.composer.press('ArrowUp')
  await expect(chat.composer).toHaveValue('Old')
  await other.bubble('Old').hover()
  await button(other, 'Old', 'Take this message back').click()
  await expect(chat.bubble('Taken back')).toBeVisible()
  await chat.reply('New')
  await expect(chat.page.getByText('Only your own messages can be changed or taken back')).toBeVisible()
  await expect(chat.composer).toHaveValue('New')
  expect(await violations(chat.page)).toEqual([])
})

test('[U176] any message can be answered, on touch too, and its answer leads back to it', async ({ hub, visit }) => {
  await hub.report('work', ['Two **ways** to go', 'Something else'])
  const chat = await visit('/', { width: 390, height: 844, touch: true, dark: true })
  await button(chat, 'Two ways', 'More about').click()
  for (const name of ['Answer this message', 'Quote'])
    expect((await button(chat, 'Two ways', name).boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await button(chat, 'Two ways', 'Answer this message').click()
  await expect(chat.page.getByRole('button', { name: 'Reply to “Two ways to go”' })).toBeVisible()
  expect(await violations(chat.page)).toEqual([])
  await chat.composer.fill('The first one')
  await chat.page.getByRole('button', { name: 'Send' }).click()
  await chat.bubble('The first one').getByRole('button', { name: 'In reply to “Two ways to go”' }).click()
  await expect(chat.page).toHaveURL(/\/\d{16}$/)
})

test('[U179] an agent has one name, letter and colour in the list, the header and its messages', async ({
  hub,
  visit,
}) => {
  await hub.record('work', [{ kind: 'message', author: 'assistant', by: 'gemini-cli-mcp-client', text: 'Hello' }])
  for (const dark of [false, true]) {
    const chat = await visit('/', { dark })
    await expect(chat.bubble('Hello')).toContainText('Gemini CLI')
    await expect(chat.page.locator('header')).toContainText('Gemini CLI')
    await expect(chat.list).toContainText('Gemini CLI')
    const marks = chat.page.locator('svg:has(> text)')
    await expect(marks).toHaveText(['G', 'G', 'G'])
    const colours = await marks.evaluateAll((all) => all.map((mark) => getComputedStyle(mark).fill))
    expect(new Set(colours).size).toBe(1)
    expect(await violations(chat.page)).toEqual([])
    await chat.page.emulateMedia({ forcedColors: 'active' })
    await expect(marks.first()).toBeVisible()
    await chat.page.emulateMedia({ forcedColors: 'none' })
  }
})
