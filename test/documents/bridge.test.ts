import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type Agent, agentOverHttp, agentOverStdio } from '../support/agent.ts'
import { ask } from '../support/chat.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { openPage, waiting } from '../support/page.ts'
import { freePort } from '../support/process.ts'
import { type Client, connect, connectPage } from '../support/socket.ts'

/** The document knows one address; the second is for who wants nothing of the two others. */
const ADDRESSES = ['/ws', '/ws?dialect=bridge']

/** Asked and answered, once for each text. */
async function talk(url: string, agent: Agent, texts: string[]) {
  const browser = await connect(url)
  for (const text of texts) {
    const reply = agent.ask(text)
    const { ack_id: id } = await browser.next('agentMessage')
    browser.say({ type: 'ack', id, message: `${text}: yes` })
    await reply
  }
  browser.ws.close()
}

test.each(ADDRESSES)(
  '[W1] a browser at %s is first sent connected, and pendingAckId while someone asks',
  async (path) => {
    const { url } = await startHub()
    expect(await (await connect(url, path)).next('connected')).toEqual({ type: 'connected', history: [] })
    const agent = await agentOverHttp(url)
    await talk(url, agent, ['one'])
    const watching = await connect(url, path)
    const reply = agent.ask('two')
    const { ack_id: id } = await watching.next('agentMessage')
    const browser = await connect(url, path)
    expect(await browser.next('connected')).toEqual({
      type: 'connected',
      history: [
        { type: 'agentMessage', text: 'one', ack_id: expect.any(String), reply: 'one: yes' },
        { type: 'agentMessage', text: 'two', ack_id: id },
      ],
      pendingAckId: id,
    })
    browser.say({ type: 'ack', id, message: "user's reply text" })
    expect(await reply).toBe("user's reply text")
  },
)

test.each(ADDRESSES)(
  '[W2] an agentMessage goes to every browser at %s, and the first ack is the reply',
  async (path) => {
    const { url } = await startHub()
    const browsers = [await connect(url, path), await connect(url, path)]
    const agent = await agentOverHttp(url)
    const result = agent.call({ text: 'Deploy now?' })
    const shown = await Promise.all(browsers.map((browser) => browser.next('agentMessage')))
    expect(shown[0]).toEqual({ type: 'agentMessage', text: 'Deploy now?', ack_id: expect.any(String) })
    expect(shown[1]).toEqual(shown[0])
    browsers[1]?.say({ type: 'ack', id: shown[0]?.ack_id, message: "user's reply text" })
    expect(await result).toEqual({ reply: "user's reply text" })
  },
)

test('[W32] a browser that reconnects after the agents left is sent the whole history of what was said last', async () => {
  const data = await temporaryFolder()
  const agentIn = (session: string) => agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: session } })
  const first = await agentIn('old')
  const url = await first.url
  await talk(url, first, ['old'])
  const second = await agentIn('new')
  await talk(url, second, ['one', 'two'])
  // A page that stays keeps the hub, and sees them go.
  const page = await connectPage(url)
  await Promise.all([first.client.close(), second.client.close()])
  for (const _ of [first, second]) await gone(page)
  // What nobody said is no reason to show another conversation.
  page.say({ type: 'rename', key: 'k', conversation: 'old', title: 'Renamed later' })
  await page.next('accepted')
  const history = ['one', 'two'].map((text) => ({
    type: 'agentMessage',
    text,
    ack_id: expect.any(String),
    reply: `${text}: yes`,
  }))
  for (const path of ADDRESSES)
    expect(await (await connect(url, path)).next('connected')).toEqual({ type: 'connected', history })
})

async function gone(page: Client) {
  for (;;) if ((await page.next('agent')).state === 'gone') return
}

test('[W32] what is current is shown alone, and who may see one conversation is shown no other', async () => {
  const { view, url, tokens } = await startHub()
  for (const conversation of ['mine', 'other'])
    await view.answer(await ask(view, { by: 'robot', text: conversation }, conversation), 'Yes')
  const history = async (path: string, headers = {}) =>
    (await (await connect(url, path, undefined, headers)).next('connected')).history
  expect(await history('/ws')).toMatchObject([{ text: 'other' }])
  expect(await history('/ws?session=mine')).toMatchObject([{ text: 'mine' }])
  expect(await history('/ws?session=nobody')).toEqual([])
  await ask(view, { by: 'robot', text: 'Open?' }, 'mine')
  expect(await history('/ws')).toMatchObject([{ text: 'mine' }, { text: 'Open?' }])
  const { secret } = await tokens.create({ name: 'ada', conversation: 'empty' })
  expect(await history('/ws', { authorization: `Bearer ${secret}` })).toEqual([])
})

test('[W32] a router frontend is sent nothing of what is over', async () => {
  const { view, url } = await startHub()
  await view.answer(await ask(view, { by: 'robot', text: 'Over?' }), 'Yes')
  const frontend = await connect(url, '/ws?dialect=router')
  await ask(view, { by: 'robot', text: 'Open?' })
  expect(await frontend.any()).toMatchObject({ type: 'ask_user', question: 'Open?' })
})

const LOOPBACK = ['127.0.0.1', '[::1]']

async function spawnAgent(data: string, session: string, PORT = '0') {
  const args = ['stdio', '--host', 'localhost']
  const agent = await agentOverStdio({ args, env: { PARLEY_DATA: data, PARLEY_SESSION: session, PORT } })
  return { ...agent, address: await agent.url }
}

test('[C92] beside a running hub an agent has its PORT at both addresses, and for as long as its process lives', async () => {
  const data = await temporaryFolder()
  const first = await spawnAgent(data, 'first')
  const port = await freePort()
  const second = await spawnAgent(data, 'second', `${port}`)
  expect(second.address).toBe(`http://localhost:${port}`)
  for (const { address, stderr } of [first, second]) expect(stderr()).toBe(`${address}\n`)
  const page = openPage(first.address)
  const { reply, question: ack_id } = await waiting(second, page, 'Deploy now?')
  const history = [{ type: 'agentMessage', text: 'Deploy now?', ack_id }]
  const own = new URL(first.address).port
  for (const each of LOOPBACK.flatMap((host) => [`http://${host}:${port}`, `http://${host}:${own}`])) {
    expect(await (await fetch(each)).text()).toContain('<title>Parley</title>')
    const browser = await connect(each, '/ws?session=second')
    expect(await browser.any()).toEqual({ type: 'connected', history, pendingAckId: ack_id })
    await expect(connect(each, '/ws', undefined, { origin: 'http://evil.example' })).rejects.toThrow('403')
    browser.ws.terminate()
  }
  const browser = await connect(`http://[::1]:${port}`)
  browser.say({ type: 'ack', id: ack_id, message: 'Ship it' })
  expect(await reply).toEqual({ reply: 'Ship it' })
  process.kill(second.pid, 'SIGKILL')
  await page.until(() => page.agents.get('second') === 'gone')
  for (const host of LOOPBACK) await expect(fetch(`http://${host}:${port}`)).rejects.toThrow('fetch failed')
  for (const host of LOOPBACK) expect((await fetch(`http://${host}:${own}/healthz`)).status).toBe(200)
})

test.each(['127.0.0.1', '::1'])(
  '[C91] a PORT that is taken at %s is one sentence, and nothing else fails',
  async (its) => {
    const stranger = createServer()
    onTestFinished(() => void stranger.close())
    await once(stranger.listen(0, its), 'listening')
    const { port } = stranger.address() as { port: number }
    const data = await temporaryFolder()
    const first = await spawnAgent(data, 'first')
    const second = await spawnAgent(data, 'second', `${port}`)
    await second.said(/another program.*\n/)
    expect(second.stderr()).toBe(
      `${first.address}\nPort ${port} is used by another program; choose another with --port or PORT\n`,
    )
    const free = its === '::1' ? '127.0.0.1' : '[::1]'
    await expect(fetch(`http://${free}:${port}`)).rejects.toThrow('fetch failed')
    const page = openPage(first.address)
    const { reply, question } = await waiting(second, page, 'Still there?')
    await page.answer(question, 'Yes')
    expect(await reply).toEqual({ reply: 'Yes' })
  },
)

test('[M45] send_message blocks until the reply, and a client that honours progress hears at once that it does', async () => {
  const agent = await agentOverStdio({ name: 'claude-code', env: { PARLEY_DATA: await temporaryFolder() } })
  const heard = Promise.withResolvers<void>()
  const call = agent.client.callTool(
    { name: 'send_message', arguments: { text: 'Deploy now?' } },
    { onprogress: () => heard.resolve() },
  )
  await heard.promise
  const browser = await connect(await agent.url)
  const { pendingAckId: id } = await browser.next('connected')
  browser.say({ type: 'ack', id: id ?? (await browser.next('agentMessage')).ack_id, message: 'Ship it' })
  expect((await call).structuredContent).toEqual({ reply: 'Ship it' })
})

test('[C58] UI Elements: a hub can say that the text input is enabled only while an agent asks', async () => {
  const data = await temporaryFolder()
  const agent = await agentOverStdio({ args: ['stdio', '--composer', 'when-asked'], env: { PARLEY_DATA: data } })
  expect((await connectPage(await agent.url)).welcome.composer).toBe('when-asked')
})
