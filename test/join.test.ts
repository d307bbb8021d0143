import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { type HubCard, readCard } from '../src/join/hub-card.ts'
import { type Agent, agentOverStdio, type Era } from './support/agent.ts'
import { temporaryFolder } from './support/hub.ts'
import { openPage, questionOf } from './support/page.ts'
import { freePort, startParley } from './support/process.ts'
import { connect, connectPage } from './support/socket.ts'

const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

/** Agents of one data folder, the first of which has the hub. */
async function startAgents(names: string[], { era, args }: { era?: Era; args?: string[] } = {}) {
  const data = await temporaryFolder()
  const agents = []
  for (const name of names) agents.push(await startAgent(data, name, { era, args }))
  const [owner, ...joined] = agents as [Started, ...Started[]]
  return { data, owner, joined, url: await owner.url }
}

type Started = Awaited<ReturnType<typeof startAgent>>

async function startAgent(data: string, name: string, more: { era?: Era; args?: string[]; port?: number } = {}) {
  const { era, args, port } = more
  const env = { PARLEY_DATA: data, PARLEY_SESSION: name, ...(port && { PORT: `${port}` }) }
  const agent = await agentOverStdio({ era, args, env })
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

describe.each<Era>(['legacy', 'modern'])('agents of the %s era', (era) => {
  test('[C28] three processes of one data folder share one hub, one address and one page', async () => {
    const { data, owner, joined, url } = await startAgents(['one', 'two', 'three'], { era })
    expect(await Promise.all(joined.map((agent) => agent.url))).toEqual([url, url])
    expect(readCard(data)).toMatchObject({ pid: owner.pid, url })
    const page = openPage(url)
    const calls = []
    for (const [n, agent] of [owner, ...joined].entries()) calls.push(await waiting(agent, page, `Question ${n}?`))
    for (const { question } of calls.toReversed()) await page.answer(question, `re: ${question}`)
    const replies = await Promise.all(calls.map(({ reply }) => reply))
    expect(replies.map(({ reply }) => reply)).toEqual(calls.map(({ question }) => `re: ${question}`))
    expect(questions(page).map(({ conversation }) => conversation)).toEqual(['one', 'two', 'three'])
  })
})

test.each<[Era, NodeJS.Signals]>([
  ['legacy', 'SIGKILL'],
  ['modern', 'SIGKILL'],
  ['modern', 'SIGTERM'],
])('[C29] [C30] when the hub ends (%s era, %s) another process has its port, and calls go on', async (era, signal) => {
  const { data, owner, joined, url } = await startAgents(['one', 'two', 'three'], { era })
  const [two, three] = joined as [Started, Started]
  const page = openPage(url)
  const first = await waiting(two, page, 'Deploy?')
  const second = await waiting(three, page, 'Test?')
  process.kill(owner.pid, signal)
  await page.until(() => page.resumed.length === 2)
  expect(readCard(data)).toMatchObject({ url })
  expect([two.pid, three.pid]).toContain(readCard(data)?.pid)
  // Both are there again, as busy as before.
  await page.until(() => ['two', 'three'].every((name) => page.agents.get(name) === 'waiting'))
  expect(page.agents.has('one')).toBe(false)
  await page.answer(second.question, 'Tested')
  await page.answer(first.question, 'Deployed')
  expect(await first.reply).toEqual({ reply: 'Deployed' })
  expect(await second.reply).toEqual({ reply: 'Tested' })
  expect(page.resumed).toEqual([true, true])
  const next = await waiting(two, page, 'Next?')
  await page.answer(next.question, 'Nothing')
  expect(await next.reply).toEqual({ reply: 'Nothing' })
  expect(questions(page).map(({ text }) => text)).toEqual(['Deploy?', 'Test?', 'Next?'])
  // One address, told once.
  for (const agent of joined) expect(agent.stderr().match(/^http:.*$/gm)).toEqual([url])
})

test('[C29] whoever takes over stays on the port of the hub, also when it had asked for another', async () => {
  const { data, owner, url } = await startAgents(['one'])
  const two = await startAgent(data, 'two', { port: await freePort() })
  expect(await two.url).toBe(url)
  const page = openPage(url)
  const { reply, question } = await waiting(two, page, 'Deploy?')
  process.kill(owner.pid, 'SIGKILL')
  await page.until(() => page.resumed.length === 2)
  await page.answer(question, 'Yes')
  expect(await reply).toEqual({ reply: 'Yes' })
  expect(readCard(data)).toMatchObject({ pid: two.pid, url })
})

test('[C31] a process whose agent is gone keeps the hub for the others, and ends with the last of them', async () => {
  const data = await temporaryFolder()
  const owner = startParley(['stdio'], { PARLEY_DATA: data })
  await owner.line(INITIALIZE)
  const url = await owner.url
  const two = await startAgent(data, 'two')
  const page = openPage(url)
  const { reply, question } = await waiting(two, page, 'Deploy?')
  owner.child.stdin?.end()
  await page.answer(question, 'Yes')
  expect(await reply).toEqual({ reply: 'Yes' })
  expect(page.resumed).toEqual([true])
  expect(owner.child.exitCode).toBeNull()
  await two.client.close()
  expect((await owner.ended).code).toBe(0)
})

test('[C32] a second start that ends at once leaves nothing behind and disturbs nobody', async () => {
  const { data, owner, url } = await startAgents(['one'])
  const page = openPage(url)
  await page.started
  for (const end of ['stdin', 'SIGINT'] as const) {
    const probe = startParley(['stdio'], { PARLEY_DATA: data })
    await probe.line(INITIALIZE)
    if (end === 'stdin') probe.child.stdin?.end()
    else probe.child.kill(end)
    await probe.ended
  }
  const { reply, question } = await waiting(owner, page, 'Still there?')
  await page.answer(question, 'Yes')
  expect(await reply).toEqual({ reply: 'Yes' })
  expect((await connectPage(url)).welcome.conversations).toMatchObject([{ id: 'one' }])
  expect(readCard(data)?.pid).toBe(owner.pid)
})

test('[C32] two that start at the same time on a new folder share one hub', async () => {
  const data = await temporaryFolder()
  const both = await Promise.all(['one', 'two'].map((name) => startAgent(data, name)))
  const [one, two] = await Promise.all(both.map((agent) => agent.url))
  expect(two).toBe(one)
})

describe('[C33] a card in the data folder that leads nowhere', () => {
  const good: HubCard = { pid: 1, host: '127.0.0.1', port: 1, url: 'http://localhost:1', secret: 'x'.repeat(32) }

  test('[C33] of a hub that is gone is as good as none', async () => {
    const data = await temporaryFolder()
    writeFileSync(join(data, 'hub.json'), JSON.stringify(good))
    const agent = await startAgent(data, 'one')
    expect(readCard(data)).toMatchObject({ pid: agent.pid, url: await agent.url })
  })

  test('[C33] [C34] whose port is of a program that says nothing is as good as none, and another is taken', async () => {
    const port = await listening(createServer(() => {}))
    const data = await temporaryFolder()
    writeFileSync(join(data, 'hub.json'), JSON.stringify({ ...good, port, url: `http://localhost:${port}` }))
    const agent = await startAgent(data, 'one')
    expect(await agent.url).not.toBe(`http://localhost:${port}`)
    expect(readCard(data)).toMatchObject({ pid: agent.pid, url: await agent.url })
  })

  test('[C33] is of a hub of another folder: each keeps to its own', async () => {
    const other = await startAgents(['other'])
    const data = await temporaryFolder()
    const card = readCard(other.data) as HubCard
    writeFileSync(join(data, 'hub.json'), JSON.stringify({ ...card, secret: good.secret }))
    const agent = await startAgent(data, 'one')
    expect(await agent.url).not.toBe(other.url)
    const page = openPage(await agent.url)
    const { reply, question } = await waiting(agent, page, 'Mine?')
    await page.answer(question, 'Yours')
    expect(await reply).toEqual({ reply: 'Yours' })
    expect((await connectPage(other.url)).welcome.conversations).toEqual([])
  })
})

test('[C34] a port of another program is an error where it was asked for', async () => {
  const port = await listening(createServer())
  const { code, stderr } = await startParley(['stdio', '--port', `${port}`], { PARLEY_DATA: await temporaryFolder() })
    .ended
  expect([code, stderr]).toEqual([1, `Port ${port} is used by another program; choose another with --port or PORT\n`])
})

test('[C34] serve takes another port than the usual one where that is taken and none was asked for', async () => {
  const usual = createServer()
  onTestFinished(() => void usual.close())
  // Taken by this test, or by whoever has it already.
  await new Promise((resolve) => usual.on('error', resolve).listen(4117, '127.0.0.1', () => resolve(undefined)))
  const parley = startParley(['serve', '--data', await temporaryFolder()])
  expect(await parley.url).not.toBe('http://localhost:4117')
  parley.child.kill()
  expect((await parley.ended).stderr).toContain('Port 4117 is used by another program; taking the next free one')
})

test('[C35] serve says where the hub of its folder is when an agent has it', async () => {
  const { data, url } = await startAgents(['one'])
  const { code, stderr } = await startParley(['serve', '--data', data]).ended
  expect([code, stderr]).toEqual([
    1,
    `A hub of ${data} runs already: open ${url}, or choose another folder with --data\n`,
  ])
})

test('[C36] only who can read the card may join, and only its owner can read it', async () => {
  const { data } = await startAgents(['one'])
  const card = readCard(data) as HubCard
  expect(statSync(join(data, 'hub.json')).mode & 0o777).toBe(0o600)
  for (const secret of ['', 'x', `${card.secret}x`, card.secret.toLowerCase(), 'y'.repeat(card.secret.length)])
    expect(await joinStatus(card, secret)).toBe(401)
  expect(await joinStatus(card, card.secret)).toBe(101)
  expect(await joinStatus(card, card.secret, 'http://evil.example')).toBe(403)
})

test('[C36] a hub that asks for tokens lets its own processes in by the card alone', async () => {
  const data = await temporaryFolder()
  const env = { PARLEY_TOKENS: 'ada:human:of-ada-0123456789' }
  const url = await startParley(['serve', '--port', '0', '--data', data], env).url
  const agent = await startAgent(data, 'one')
  expect(await agent.url).toBe(url)
  const headers = { authorization: 'Bearer of-ada-0123456789' }
  const person = await connect(url, '/ws', undefined, headers)
  const reply = agent.ask('Deploy?')
  person.say({ type: 'ack', id: (await person.next('agentMessage')).ack_id, message: 'Yes' })
  expect(await reply).toBe('Yes')
})

async function joinStatus({ host, port }: HubCard, secret: string, origin?: string) {
  const ws = new WebSocket(`ws://${host}:${port}/join`, { headers: { authorization: `Bearer ${secret}` }, origin })
  onTestFinished(() => ws.terminate())
  return new Promise<number | undefined>((resolve, reject) => {
    ws.on('open', () => resolve(101))
    ws.on('unexpected-response', (_, { statusCode }) => resolve(statusCode))
    ws.on('error', reject)
  })
}

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as { port: number }).port
}
