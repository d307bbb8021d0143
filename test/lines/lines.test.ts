import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { socketPlaces } from '../../src/doors/socket/place.ts'
import { type Agent, agentOverStdio, type Era } from '../support/agent.ts'
import { erasOf } from '../support/eras.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { openPage, questionOf } from '../support/page.ts'
import { freePort, startParley } from '../support/process.ts'
import { connect, connectPage } from '../support/socket.ts'

const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

/** Agents of one data folder, the first of which started the hub. */
async function startAgents(names: string[], era?: Era) {
  const data = await temporaryFolder()
  const agents: Started[] = []
  for (const name of names) agents.push(await startAgent(data, name, { era }))
  return { data, agents, url: (await agents[0]?.url) ?? '' }
}

type Started = Awaited<ReturnType<typeof startAgent>>

async function startAgent(data: string, name: string, more: { era?: Era; port?: number } = {}) {
  const { era, port } = more
  const env = { PARLEY_DATA: data, PARLEY_SESSION: name, ...(port && { PORT: `${port}` }) }
  const agent = await agentOverStdio({ era, env })
  // Its hub is there once it has said where.
  await agent.url
  return agent
}

/** Asks, and is there once the question is on the page. */
async function waiting(agent: Pick<Agent, 'call'>, page: ReturnType<typeof openPage>, text: string) {
  const reply = agent.call({ text })
  reply.catch(() => {})
  return { reply, question: await questionOf(page, text) }
}

function questions(page: ReturnType<typeof openPage>) {
  return page.entries.flatMap(({ conversation, body }) =>
    body.kind === 'question' ? [{ conversation, text: body.text }] : [],
  )
}

describe.each(erasOf('modern'))('agents of the %s era', (era) => {
  test('[C28] three agents of one data folder share one hub, one address and one page', async () => {
    const { data, agents, url } = await startAgents(['one', 'two', 'three'], era)
    expect(await Promise.all(agents.map((agent) => agent.url))).toEqual([url, url, url])
    expect(agents.map(({ pid }) => pid)).not.toContain(hubOf(data).pid)
    const page = openPage(url)
    const calls = []
    for (const [n, agent] of agents.entries()) calls.push(await waiting(agent, page, `Question ${n}?`))
    for (const { question } of calls.toReversed()) await page.answer(question, `re: ${question}`)
    const replies = await Promise.all(calls.map(({ reply }) => reply))
    expect(replies).toEqual(calls.map(({ question }) => ({ reply: `re: ${question}` })))
    expect(questions(page).map(({ conversation }) => conversation)).toEqual(['one', 'two', 'three'])
  })
})

const ENDS: [Era, NodeJS.Signals][] = [
  ...erasOf('legacy').map((era): [Era, NodeJS.Signals] => [era, 'SIGKILL']),
  ...erasOf('modern').map((era): [Era, NodeJS.Signals] => [era, 'SIGTERM']),
]

test.each(ENDS)(
  '[C29] [C30] when the hub ends (%s era, %s) the next one has its port, and calls go on',
  async (era, signal) => {
    const { data, agents, url } = await startAgents(['one', 'two'], era)
    const [one, two] = agents as [Started, Started]
    const page = openPage(url)
    const before = await waiting(one, page, 'Ready?')
    await page.answer(before.question, 'Yes')
    await before.reply
    const first = await waiting(one, page, 'Deploy?')
    const second = await waiting(two, page, 'Test?')
    const { pid } = hubOf(data)
    process.kill(pid, signal)
    await page.until(() => page.resumed.length === 2)
    expect(hubOf(data).pid).not.toBe(pid)
    // Both are there again, as busy as before.
    await page.until(() => ['one', 'two'].every((name) => page.agents.get(name) === 'waiting'))
    await page.answer(second.question, 'Tested')
    await page.answer(first.question, 'Deployed')
    // And nothing that they had comes again.
    expect(await first.reply).toEqual({ reply: 'Deployed' })
    expect(await second.reply).toEqual({ reply: 'Tested' })
    expect(page.resumed).toEqual([true, true])
    const next = await waiting(two, page, 'Next?')
    await page.answer(next.question, 'Nothing')
    expect(await next.reply).toEqual({ reply: 'Nothing' })
    expect(questions(page).map(({ text }) => text)).toEqual(['Ready?', 'Deploy?', 'Test?', 'Next?'])
    // One address, told once.
    for (const agent of agents) expect(agent.stderr().match(/^http:.*$/gm)).toEqual([url])
  },
)

test('[C41] what an agent had before its hub was killed does not come again with its next call', async () => {
  const { data, agents, url } = await startAgents(['one'])
  const [agent] = agents as [Started]
  const page = openPage(url)
  const { reply, question } = await waiting(agent, page, 'Deploy?')
  await page.answer(question, 'Yes')
  expect(await reply).toEqual({ reply: 'Yes' })
  process.kill(hubOf(data).pid, 'SIGKILL')
  await page.until(() => page.resumed.length === 2)
  await page.post('one', 'By the way')
  const next = await waiting(agent, page, 'And now?')
  await page.answer(next.question, 'Rest')
  expect(await next.reply).toMatchObject({ reply: 'Rest', earlier_messages: [{ text: 'By the way' }] })
})

test('[C31] a hub stays while anybody is there, and ends a while after the last one', async () => {
  const { data, agents, url } = await startAgents(['one', 'two'])
  const [one, two] = agents as [Started, Started]
  const { ended } = hubOf(data)
  const page = openPage(url)
  const { reply, question } = await waiting(two, page, 'Deploy?')
  await one.client.close()
  await page.until(() => page.agents.get('one') === 'gone' || !page.agents.has('one'))
  await page.answer(question, 'Yes')
  expect(await reply).toEqual({ reply: 'Yes' })
  await two.client.close()
  await page.until(() => page.agents.get('two') === 'gone')
  // Somebody looks at it.
  await page.post('one', 'Anybody?')
  expect(page.resumed).toEqual([true])
  page.leave()
  await ended()
})

test('[C32] a second start that ends at once leaves nothing behind and disturbs nobody', async () => {
  const { data, agents, url } = await startAgents(['one'])
  const { pid } = hubOf(data)
  const page = openPage(url)
  await page.started
  for (const end of ['stdin', 'SIGINT'] as const) {
    const probe = startParley(['stdio'], { PARLEY_DATA: data })
    await probe.line(INITIALIZE)
    if (end === 'stdin') probe.child.stdin?.end()
    else probe.child.kill(end)
    expect((await probe.ended).code).toBe(0)
  }
  const { reply, question } = await waiting(agents[0] as Started, page, 'Still there?')
  await page.answer(question, 'Yes')
  expect(await reply).toEqual({ reply: 'Yes' })
  expect((await connectPage(url)).welcome.conversations).toMatchObject([{ id: 'one' }])
  expect(hubOf(data).pid).toBe(pid)
})

test('[C32] several that start at the same time on a new folder share one hub', async () => {
  const data = await temporaryFolder()
  const all = await Promise.all(['one', 'two', 'three'].map((name) => startAgent(data, name)))
  const urls = await Promise.all(all.map((agent) => agent.url))
  expect(new Set(urls).size).toBe(1)
})

test('[C34] the hub listens on the port that an agent asked for, beside its own, while that agent is there', async () => {
  const { data, url } = await startAgents(['one'])
  const port = await freePort()
  const two = await startAgent(data, 'two', { port })
  expect(await two.url).toBe(`http://localhost:${port}`)
  const [page, other] = [openPage(url), openPage(`http://localhost:${port}`)]
  const { reply, question } = await waiting(two, other, 'Deploy?')
  await page.until(() => questions(page).length === 1)
  process.kill(hubOf(data).pid, 'SIGKILL')
  await Promise.all([page, other].map((each) => each.until(() => each.resumed.length === 2)))
  await other.answer(question, 'Yes')
  expect(await reply).toEqual({ reply: 'Yes' })
  await two.client.close()
  await page.until(() => page.agents.get('two') === 'gone')
  await page.until(() => page.resumed.length === 2)
  // That it is gone is told a moment before its port is closed.
  await eventually(() => expect(fetch(`http://localhost:${port}/healthz`)).rejects.toThrow())
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

test('[C34] a port of another program is one sentence and no failure', async () => {
  const stranger = createServer()
  onTestFinished(() => void stranger.close())
  await once(stranger.listen(0, '127.0.0.1'), 'listening')
  const { port } = stranger.address() as { port: number }
  const agent = await startAgent(await temporaryFolder(), 'one', { port })
  await agent.said(new RegExp(`^Port ${port} is used by another program`, 'm'))
  expect((await fetch(`${await agent.url}/healthz`)).status).toBe(200)
})

test('[C36] only the owner of the folder can open its socket, and who comes over it needs no token', async () => {
  const data = await temporaryFolder()
  const env = { PARLEY_DATA: data, PARLEY_TOKENS: 'ada:human:of-ada-0123456789' }
  const agent = await agentOverStdio({ env: { ...env, PARLEY_SESSION: 'one' } })
  const url = await agent.url
  expect(statSync(socketPlaces(data)[0] ?? '').mode & 0o777).toBe(0o600)
  expect((await fetch(`${url}/mcp`, { method: 'POST', body: '{}' })).status).toBe(401)
  const person = await connect(url, '/ws', undefined, { authorization: 'Bearer of-ada-0123456789' })
  const reply = agent.ask('Deploy?')
  person.say({ type: 'ack', id: (await person.next('agentMessage')).ack_id, message: 'Yes' })
  expect(await reply).toBe('Yes')
})

test('[C36] where people need tokens, no process becomes one over the socket', async () => {
  const data = await temporaryFolder()
  const env = { PARLEY_DATA: data, PARLEY_TOKENS: 'ada:human:of-ada-0123456789' }
  const stranger = await startParley(['stdio', '--surface', 'human'], env).ended
  expect([stranger.code, stranger.stderr]).toEqual([1, 'This hub requires a token\n'])
  const ada = startParley(['stdio', '--surface', 'human'], { ...env, PARLEY_TOKEN: 'of-ada-0123456789' })
  expect(await ada.line(INITIALIZE)).toMatchObject({ result: { serverInfo: { title: 'Parley' } } })
})

test('[C42] what a hub tells is in a file of its folder', async () => {
  const { data, agents, url } = await startAgents(['one'])
  const page = openPage(url)
  const { reply, question } = await waiting(agents[0] as Started, page, 'Deploy?')
  await page.answer(question, 'Yes')
  await reply
  process.kill(hubOf(data).pid, 'SIGTERM')
  await page.until(() => page.resumed.length === 2)
  expect(readFileSync(join(data, 'hub.log'), 'utf8')).toContain('"tool":"send_message"')
  expect(statSync(join(data, 'hub.log')).mode & 0o777).toBe(0o600)
})
