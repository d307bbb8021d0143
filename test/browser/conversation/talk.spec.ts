import { expect, test } from '../support/fixture.ts'

test('[U13] a question appears, and the typed reply is what the agent’s call returns', async ({ connect, visit }) => {
  const chat = await visit()
  await expect(chat.page.getByText('Welcome to Parley')).toBeVisible()
  const agent = await connect('work')
  const reply = agent.ask('Deploy **now**?')
  await expect(chat.bubble('Deploy now?')).toContainText('Waiting for your reply')
  await expect(chat.page).toHaveTitle('(1) work')
  await expect(chat.page.getByText('Reply to the question', { exact: true })).toBeVisible()
  await chat.reply('Yes, go ahead')
  expect(await reply).toBe('Yes, go ahead')
  await expect(chat.bubble('Yes, go ahead')).toHaveCount(1)
  await expect(chat.bubble('Deploy now?')).not.toContainText('Waiting for your reply')
  await expect(chat.dock).toBeHidden()
  await expect(chat.page).toHaveTitle('work')
  await expect(chat.composer).toHaveValue('')
  await expect(chat.composer).toBeFocused()
})

test('[U7] a tapped quick reply goes the same way as a typed one', async ({ connect, visit }) => {
  const chat = await visit()
  const agent = await connect('work')
  const reply = agent.ask('Which colour?', ['Red', 'Blue'])
  await chat.dock.getByRole('button', { name: 'Blue' }).click()
  await chat.sendNow()
  expect(await reply).toBe('Blue')
  await expect(chat.bubble('Blue')).toHaveCount(1)
  await expect(chat.dock).toBeHidden()
})

test('[U7] of several open questions the oldest is answered first, and one can turn to another', async ({
  connect,
  visit,
}) => {
  const chat = await visit()
  const [one, two] = [await connect('work'), await connect('work')]
  const first = one.ask('First question?')
  await expect(chat.bubble('First question?')).toBeVisible()
  const second = two.ask('Second question?')
  await expect(chat.dock).toContainText('1 of 2')
  await expect(chat.dock).toContainText('First question?')
  await chat.dock.getByRole('button', { name: 'Next question' }).click()
  await expect(chat.dock).toContainText('Second question?')
  await chat.reply('to the second')
  expect(await second).toBe('to the second')
  await chat.reply('to the first')
  expect(await first).toBe('to the first')
  await expect(chat.bubble('to the first')).toContainText('In reply to “First question?”')
})

test('[U8] a message while nothing is asked waits for the agent’s next turn, and its ticks tell the truth', async ({
  connect,
  visit,
}) => {
  const agent = await connect('work')
  const first = agent.ask('Ready?')
  const chat = await visit()
  await expect(chat.dock).toBeVisible()
  await chat.reply('Yes')
  await first
  await expect(chat.page.getByText('For the agent’s next turn')).toBeVisible()
  await expect(chat.page.getByText('The agent is working')).toBeAttached()
  await chat.reply('One more thing')
  const said = chat.bubble('One more thing')
  await expect(said.getByRole('img', { name: 'Accepted' })).toBeVisible()
  const second = agent.call('Next?')
  // The dock is no sign: it keeps what was answered for a moment.
  await expect(chat.bubble('Next?')).toBeVisible()
  await chat.reply('Done')
  expect((await second).earlier_messages).toMatchObject([{ text: 'One more thing' }])
  await expect(said.getByRole('img', { name: 'Delivered' })).toBeVisible()
  void agent.ask('Really?').catch(() => {})
  await expect(said.getByRole('img', { name: 'Read' })).toBeVisible()
})

test('[U14] the composer says when an agent is away, and the message is kept', async ({ hub, connect, visit }) => {
  await hub.record('work', [{ kind: 'message', author: 'assistant', by: 'agent', text: 'Back soon' }])
  await hub.say('work', ['Hello?'])
  const chat = await visit()
  await expect(chat.page.getByText('Kept until the agent listens again')).toBeVisible()
  await chat.reply('For later')
  await expect(chat.bubble('For later').getByRole('img', { name: 'Accepted' })).toBeVisible()
  const agent = await connect('work')
  const call = agent.call('Here I am?')
  await expect(chat.dock).toBeVisible()
  await chat.reply('Welcome')
  expect((await call).earlier_messages).toMatchObject([{ text: 'Hello?' }, { text: 'For later' }])
})

test('[U15] Enter sends, Shift+Enter is a new line, and Enter that ends a composition does not send', async ({
  connect,
  visit,
}) => {
  const chat = await visit()
  const agent = await connect('work')
  const reply = agent.ask('Your words?')
  await expect(chat.dock).toBeVisible()
  await chat.composer.pressSequentially('one')
  await chat.composer.press('Shift+Enter')
  await chat.composer.pressSequentially('two')
  await chat.composer.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
  await expect(chat.composer).toHaveValue('one\ntwo')
  await chat.composer.press('Control+Enter')
  expect(await reply).toBe('one\ntwo')
})

test('[U15] on a touch screen Enter is a new line and the button sends', async ({ connect, visit }) => {
  const chat = await visit('/', { width: 390, height: 844, touch: true })
  const agent = await connect('work')
  const reply = agent.ask('Your words?')
  await expect(chat.dock).toBeVisible()
  await chat.composer.pressSequentially('one')
  await chat.composer.press('Enter')
  await chat.composer.pressSequentially('two')
  await chat.page.getByRole('button', { name: 'Send' }).tap()
  expect(await reply).toBe('one\ntwo')
})

test('[U11] the list names each conversation, its last line and its open questions, and renames it', async ({
  connect,
  visit,
}) => {
  const chat = await visit()
  const [one, two] = [await connect('one'), await connect('two')]
  void one.ask('First *here*?').catch(() => {})
  const item = chat.list.getByRole('listitem').filter({ hasText: 'one' })
  await expect(item).toContainText('First here?')
  void two.ask('Second here?').catch(() => {})
  await expect(chat.list).toContainText('Second here?')
  await expect(item).toContainText('1 open question')
  await item.getByRole('link').click()
  await expect(chat.page).toHaveURL(/#\/c\/one$/)
  await expect(chat.bubble('First here?')).toBeVisible()
  await item.getByRole('link').dblclick()
  await chat.page.getByRole('textbox', { name: 'New title' }).fill('The first one')
  await chat.page.keyboard.press('Enter')
  await expect(chat.page.getByRole('heading', { name: 'The first one' })).toBeVisible()
  await expect(chat.timeline.getByText('The title is now “The first one”')).toBeVisible()
  await expect(chat.list.getByRole('link').first()).toContainText('The first one')
})
