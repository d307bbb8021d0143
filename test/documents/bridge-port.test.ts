import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { agentOverStdio } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { openPage, waiting } from '../support/page.ts'
import { freePort } from '../support/process.ts'
import { connect } from '../support/socket.ts'

const ADDRESSES = ['127.0.0.1', '[::1]']

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
  for (const each of ADDRESSES.flatMap((host) => [`http://${host}:${port}`, `http://${host}:${own}`])) {
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
  for (const host of ADDRESSES) await expect(fetch(`http://${host}:${port}`)).rejects.toThrow('fetch failed')
  for (const host of ADDRESSES) expect((await fetch(`http://${host}:${own}/healthz`)).status).toBe(200)
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
