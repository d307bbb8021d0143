import { expect, test } from '../support/fixture.ts'

test.use({ killable: true })

/** For a hub that starts and a page that waits ever longer until it tries again. */
const LONG = { timeout: 60_000 }

test('[U4] a reload keeps the conversation and its open question', async ({ connect, visit }) => {
  const [one, two] = [await connect('one'), await connect('two')]
  const reply = one.ask('Still open?', ['Yes'])
  const chat = await visit()
  await expect(chat.bubble('Still open?')).toBeVisible()
  void two.ask('Something newer').catch(() => {})
  await expect(chat.list).toContainText('Something newer')
  await chat.page.reload()
  await expect(chat.page.getByRole('heading', { level: 1 })).toHaveText('one')
  await expect(chat.bubble('Still open?')).toBeVisible()
  await chat.dock.getByRole('button', { name: 'Yes' }).click()
  await chat.sendNow()
  expect(await reply).toBe('Yes')
})

test('[U4] when the hub is killed and comes back, the page reconnects by itself and nothing moves or doubles', async ({
  hub,
  connect,
  visit,
}) => {
  await hub.say(
    'work',
    Array.from({ length: 80 }, (_, n) => `Line ${n}`),
  )
  const agent = await connect('work')
  void agent.ask('Are you still there?').catch(() => {})
  const chat = await visit('/', { height: 500 })
  await expect(chat.bubble('Are you still there?')).toBeVisible()
  await chat.scrollUp(600)
  await chat.composer.fill('half a sen')
  // What the page read on its way up has come before this.
  await hub.told('work')
  const [scroll, rows] = [await chat.scroll(), await chat.seen()]
  await hub.kill()
  await expect(chat.banner).toContainText('reconnecting')
  await hub.restart()
  await expect(chat.banner).toContainText('Back online', LONG)
  await expect(chat.banner).toBeEmpty()
  expect(await chat.scroll()).toBe(scroll)
  expect(await chat.seen()).toEqual(rows)
  await expect(chat.composer).toHaveValue('half a sen')
  await expect(chat.composer).toBeFocused()
  await expect(chat.dock).toContainText('Are you still there?')
  await chat.reply('I am')
  await expect(chat.dock).toBeHidden()
  await expect(chat.bubble('Are you still there?').and(chat.bubble('Test Agent'))).toHaveCount(1)
  await expect(chat.bubble('I am')).toHaveCount(1)
  const next = (await connect('work')).call('And now?')
  await expect(chat.dock).toContainText('And now?')
  await chat.reply('Go on')
  expect((await next).earlier_messages).toContainEqual(expect.objectContaining({ text: 'I am' }))
})

test('[U2] what is typed while the hub is away is sent once when it is back', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  await expect(chat.composer).toBeVisible()
  await hub.kill()
  await expect(chat.banner).toContainText('reconnecting')
  await chat.reply('Written offline')
  await expect(chat.bubble('Written offline').getByRole('img', { name: 'Sending' })).toBeVisible()
  await expect(chat.banner).toContainText('Your message is sent when the hub is back')
  await hub.restart()
  await expect(chat.bubble('Written offline').getByRole('img', { name: 'Accepted' })).toBeVisible(LONG)
  await chat.page.reload()
  await expect(chat.bubble('Written offline')).toHaveCount(1)
})

test('[U16] an answer given in one browser closes the question in the other, and both show the reply', async ({
  connect,
  visit,
}) => {
  const [left, right] = [await visit(), await visit('/', { width: 390, height: 844 })]
  const agent = await connect('work')
  const reply = agent.ask('Who answers?', ['Left', 'Right'])
  await expect(right.dock).toBeVisible()
  await left.dock.getByRole('button', { name: 'Left' }).click()
  await left.sendNow()
  expect(await reply).toBe('Left')
  for (const chat of [left, right]) {
    await expect(chat.dock).toBeHidden()
    await expect(chat.bubble('Left')).toHaveCount(1)
    await expect(chat.page).toHaveTitle('work')
  }
})
