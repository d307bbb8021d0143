import { few } from '../support/few.ts'
import { type Chat, expect, type Fixtures, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true, dark: true },
]

const button = (chat: Chat, name: string) => chat.page.getByRole('button', { name, exact: true })

/** A page, and an agent that got its reply and works on. */
async function atWork({ hub, connect, visit }: Pick<Fixtures, 'hub' | 'connect' | 'visit'>) {
  const chat = await visit()
  return { chat, agent: await beginWork(chat, { hub, connect }) }
}

async function beginWork(chat: Chat, { hub, connect }: Pick<Fixtures, 'hub' | 'connect'>) {
  const agent = await connect('work')
  const asked = agent.ask('Begin?')
  await expect(chat.dock).toBeVisible()
  await chat.reply('Yes')
  await asked
  await hub.act('work', 'begins npm test')
  await expect(button(chat, 'Stop')).toBeVisible()
  return agent
}

for (const look of few(LOOKS, 31)) {
  const kind = `${look.width} px, ${look.dark ? 'dark' : 'light'}`

  test(`[U40] Send is Stop while the composer is empty and the agent works, and its next call hears it (${kind})`, async ({
    hub,
    connect,
    visit,
  }) => {
    const chat = await visit('/', look)
    const agent = await connect('work')
    const asked = agent.ask('Begin?')
    await expect(chat.dock).toBeVisible()
    await expect(button(chat, 'Stop')).toBeHidden()
    await chat.composer.fill('Yes')
    await button(chat, 'Send').click()
    await asked
    await hub.act('work', 'begins npm test')
    await expect(button(chat, 'Stop')).toBeInViewport({ ratio: 1 })
    expect(await violations(chat.page)).toEqual([])
    await button(chat, 'Stop').click()
    await expect(chat.bubble('Stop').getByRole('img', { name: 'Accepted' })).toBeVisible()
    await expect(chat.promise).toHaveText('Stops at the agent’s next call')
    await expect(button(chat, 'Stop')).toBeHidden()
    expect(await agent.call('Next?')).toMatchObject({ status: 'interrupted', message: 'Stop' })
    await expect(chat.promise).toHaveText('For the agent’s next turn')
    await expect(chat.dock).toBeHidden()
    await expect(button(chat, 'Stop')).toBeVisible()
  })

  test(`[U41] what is typed can be the words of a stop (${kind})`, async ({ hub, connect, visit }) => {
    const chat = await visit('/', look)
    const agent = await connect('work')
    const asked = agent.ask('Begin?')
    await expect(chat.dock).toBeVisible()
    await chat.composer.fill('Yes')
    await expect(button(chat, 'Stop with this')).toBeHidden()
    await chat.composer.press('Control+Enter')
    await asked
    await hub.act('work', 'begins npm test')
    await chat.composer.fill('Not on production')
    await expect(button(chat, 'Stop with this')).toBeInViewport({ ratio: 1 })
    await expect(button(chat, 'Send')).toBeInViewport({ ratio: 1 })
    expect(await violations(chat.page)).toEqual([])
    await button(chat, 'Stop with this').click()
    await expect(chat.composer).toHaveValue('')
    await expect(chat.bubble('Not on production')).toContainText('Interrupts the agent')
    expect(await agent.call('Next?')).toMatchObject({ status: 'interrupted', message: 'Not on production' })
  })
}

test('[U40] a stop withdraws what an agent in the background asked, and says nothing about somebody else', async ({
  connect,
  visit,
}) => {
  const chat = await visit()
  const agent = await connect('work')
  await agent.put('Which one?', () => expect(chat.dock).toBeVisible())
  await expect(chat.page.getByText('Moved on, gets your reply with its next call')).toBeVisible()
  await button(chat, 'Stop').click()
  await expect(chat.dock).toBeHidden()
  await expect(chat.bubble('Stop').getByRole('img', { name: 'Accepted' })).toBeVisible()
  await expect(chat.timeline.getByText('The question was withdrawn')).toHaveCount(1)
  await expect(chat.page.getByText('The question was withdrawn')).toHaveCount(1)
  expect(await agent.call('Next?')).toMatchObject({ status: 'interrupted' })
})

test('[U42] header, list and composer say that the agent went on after asking', async ({ connect, visit }) => {
  const chat = await visit()
  const agent = await connect('work')
  await agent.put('Which one?', () => expect(chat.dock).toBeVisible())
  await expect(chat.page.locator('header')).toContainText('Moved on, gets your reply with its next call')
  await expect(chat.promise).toContainText('The agent moved on; it gets this with its next call')
  await expect(chat.list.getByRole('listitem')).toContainText('moved on after asking')
  await chat.reply('The first')
  const next = agent.call('And now?')
  await expect(chat.dock).toContainText('And now?')
  await chat.reply('Go')
  expect((await next).earlier_messages).toMatchObject([{ text: 'The first' }])
})

test('[U40] Enter never stops, nor does a double click on Send', async ({ hub, connect, visit }) => {
  const { chat } = await atWork({ hub, connect, visit })
  await chat.composer.press('Enter')
  await chat.composer.fill('One more thing')
  await button(chat, 'Send').dblclick()
  await expect(chat.bubble('One more thing').getByRole('img', { name: 'Accepted' })).toBeVisible()
  await expect(button(chat, 'Stop')).toBeVisible()
  await expect(chat.timeline.getByRole('article')).toHaveCount(3)
})

test('[U41] Ctrl+Shift+Enter stops with what is typed', async ({ hub, connect, visit }) => {
  const { chat, agent } = await atWork({ hub, connect, visit })
  await chat.composer.fill('Wait')
  await chat.composer.press('Control+Shift+Enter')
  await expect(chat.bubble('Wait')).toContainText('Interrupts the agent')
  expect(await agent.call('Next?')).toMatchObject({ status: 'interrupted', message: 'Wait' })
})

test.describe(() => {
  test.use({ killable: true })

  test('[U40] without the hub nobody is stopped: what would come late is not offered', async ({
    hub,
    connect,
    visit,
  }) => {
    const { chat } = await atWork({ hub, connect, visit })
    await hub.kill()
    await expect(chat.banner).toContainText('reconnecting')
    await expect(button(chat, 'Stop')).toHaveCount(0)
    await chat.composer.fill('Wait')
    await expect(button(chat, 'Stop with this')).toHaveCount(0)
    await chat.composer.press('Control+Shift+Enter')
    await expect(chat.composer).toHaveValue('Wait')
    await hub.restart()
    await expect(chat.banner).not.toContainText('reconnecting', { timeout: 60_000 })
    const said = await hub.told('work')
    expect(said.filter((body) => body.kind === 'message' && body.interrupt)).toHaveLength(0)
  })
})

test('[U40] a stop that was pressed as the connection went is sent once', async ({ hub, connect, visit }) => {
  const chat = await visit('/favicon.svg', { own: true })
  let isCut = false
  await chat.page.routeWebSocket(/\/ws/, (page) => {
    const server = page.connectToServer()
    page.onMessage((message) => {
      if (isCut || !String(message).includes('"interrupt"')) return server.send(message)
      isCut = true
      void page.close()
    })
  })
  await chat.page.goto(hub.url)
  await beginWork(chat, { hub, connect })
  await button(chat, 'Stop').click()
  await expect(chat.bubble('Stop').getByRole('img', { name: 'Accepted' })).toBeVisible()
  expect(isCut).toBe(true)
  const said = await hub.told('work')
  expect(said.filter((body) => body.kind === 'message' && body.interrupt)).toHaveLength(1)
})
