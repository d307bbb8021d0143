import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SURFACES, type SurfaceName } from '../../src/protocol/frames/surface-name.ts'
import { SOAK } from '../log/contract/place.ts'
import { agentOverStdio, type Era } from '../support/agent.ts'
import { openTestHub, startHub, temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { connectHttp } from '../support/mcp/http-client.ts'
import { call, readJson } from '../support/mcp/surfaces.ts'
import { subscribe, updatesOf } from '../support/mcp/updates.ts'
import { answerAll, openPage } from '../support/page.ts'
import { startParley } from '../support/process.ts'

const INBOX = 'ui://chat/inbox'
const deployNow = { mime: 'text/markdown', content: 'Deploy now?' }
const acknowledged = { mime: 'text/markdown', content: 'Acknowledged. Running deployment…' }

async function startChat(data?: string) {
  const hub = await startHub(data)
  const at = (server: string, era?: Era) => connectHttp(`${hub.url}/mcp/${server}`, { era, name: server })
  return { ...hub, at }
}

async function rest(url: string, path: string, body: unknown = {}) {
  const response = await fetch(`${url}/api/${path}`, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const contents = ({ messages }: { messages: { content: unknown }[] }) => messages.map(({ content }) => content)

async function listed(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name)
}

describe.each<Era>(['legacy', 'modern'])('Sample sequences (dual subscriptions), %s', (era) => {
  test('[I31] the orchestrator and the human UI subscribe, are told and read; the assistant is not echoed', async () => {
    const { at } = await startChat()
    const [orchestrator, ui] = [await at('ui', era), await at('human', era)]
    const [told, shown] = [updatesOf(orchestrator), updatesOf(ui)]
    await subscribe(orchestrator, INBOX, era)
    await subscribe(ui, INBOX, era)
    expect((await readJson(orchestrator, INBOX)).body.messages).toEqual([])
    await call(orchestrator, 'chat.assistant.post', acknowledged)
    const { id } = await call(ui, 'chat.human.post', deployNow)
    expect((await told()).messages).toMatchObject([{ id, author: 'user', ...deployNow }])
    expect((await shown()).uri).toBe(INBOX)
    const { messages, last_id } = await call(orchestrator, 'chat.read_since', {})
    expect(messages.map(({ author }) => author)).toEqual(['assistant', 'user'])
    expect((await readJson(ui, INBOX)).body).toMatchObject({ last_id, messages })
  })
})

test('[I31] Crash/reconnect: what was missed comes by ui.chat_read_since, at the ui server too', async () => {
  const data = await temporaryFolder()
  const before = await startChat(data)
  const human = await before.at('human')
  await call(human, 'chat.human.post', deployNow)
  const { last_id: after_id } = await call(await before.at('ui'), 'ui.chat_read_since', {})
  await call(human, 'chat.human.post', { ...deployNow, content: 'Ship it!' })
  await before.close()
  const after = await startChat(data)
  const orchestrator = await after.at('ui')
  expect(contents(await call(orchestrator, 'ui.chat_read_since', { after_id }))).toEqual(['Ship it!'])
  expect(contents(await call(orchestrator, 'ui_chat_read_since', { after_id }))).toEqual(['Ship it!'])
  expect((await orchestrator.listResources()).resources.map(({ uri }) => uri)).toEqual([INBOX, 'ui://agent/status'])
})

test('[I30] Example flows: the model calls ui_send_message and loop_yield_turn, or ui_end_turn', async () => {
  const { at, view } = await startChat()
  const ui = await at('ui')
  const calls: [string, object][] = [
    ['ui_send_message', acknowledged],
    ['loop_yield_turn', {}],
    ['ui.send_message', acknowledged],
    ['ui.end_turn', {}],
    ['ui_end_turn', {}],
    ['loop.yield_turn', {}],
  ]
  for (const [name, input] of calls) await call(ui, name, { ...input })
  const loop = await at('loop')
  for (const name of ['loop_yield_turn', 'loop.yield_turn']) await call(loop, name, {})
  const { entries } = await view.page('chat', { limit: 20 })
  expect(entries.map(({ body }) => body.kind)).toEqual([
    ...['message', 'turn', 'message', 'turn', 'turn', 'turn'],
    ...['turn', 'turn'],
  ])
  expect(await listed(ui)).toEqual(['send_message', 'end_turn', 'chat_read_since'])
  expect(await listed(loop)).toEqual(['yield_turn'])
})

test('[I65] the model calls ui_send_message, ui_end_turn and loop_yield_turn at the gateway, which lists none of them', async () => {
  const { at, view } = await startChat()
  const gateway = await at('gateway?session=chat')
  for (const name of ['ui_send_message', 'ui.send_message']) await call(gateway, name, acknowledged)
  for (const name of ['ui_end_turn', 'ui.end_turn', 'loop_yield_turn', 'loop.yield_turn']) await call(gateway, name, {})
  const { entries } = await view.page('chat', { limit: 20 })
  expect(entries.map(({ body }) => body.kind)).toEqual(['message', 'message', 'turn', 'turn', 'turn', 'turn'])
  for (const name of await listed(gateway)) expect(name).not.toMatch(/^ui_|send_message|end_turn/)
  await expect(call(gateway, 'send_message', acknowledged)).rejects.toThrow('Unknown tool "send_message"')
})

test('[I66] bare read_since is chat_read_since at every server that has it', async () => {
  const { at, url } = await startChat()
  for (const server of ['chat', 'human', 'assistant', 'ui', 'orchestrator']) {
    const client = await at(server)
    for (const name of ['read_since', 'ui_read_since', 'ui.read_since'])
      expect(await call(client, name, {})).toMatchObject({ messages: [], has_more: false })
    expect(await listed(client)).not.toContain('read_since')
  }
  expect((await rest(url, 'tools/read_since')).status).toBe(200)
  expect((await rest(url, 'mcp/call', { server: 'human', tool: 'read_since', arguments: {} })).status).toBe(200)
})

test('[I30] the names of the document work at every chat server that has the tool, and nowhere else', async () => {
  const { at } = await startChat()
  for (const server of ['chat', 'human', 'assistant', 'ui']) {
    const client = await at(server)
    for (const name of ['ui.chat_read_since', 'ui_chat_read_since', 'chat.read_since', 'read_and_advance'])
      expect(await call(client, name, {})).toMatchObject({ messages: [], has_more: false })
    expect(await listed(client)).not.toContain('read_and_advance')
  }
  const wrong: [string, string[]][] = [
    ['human', ['ui_send_message', 'loop_yield_turn', 'loop_chat_read_since', 'ui-chat_read_since']],
    ['loop', ['ui_send_message', 'ui_end_turn']],
    ['agent', ['ui_send_message', 'ui.send_message', 'send.message', 'ui_ask_user']],
  ]
  for (const [server, names] of wrong) {
    const client = await at(server)
    for (const name of names) await expect(call(client, name, {})).rejects.toThrow(`Unknown tool "${name}"`)
  }
})

test.each([
  ...['ui.chat_read_since', 'ui_chat_read_since', 'chat.read_since', 'chat_read_since'],
  ...['read_and_advance', 'ui_read_and_advance', 'ui.read_and_advance', 'chat_read_and_advance'],
  ...['ui.send_message', 'ui_send_message', 'ui.end_turn', 'ui_end_turn', 'loop_yield_turn', 'loop.yield_turn'],
  ...['chat.human.post', 'chat.assistant.post'],
])('[I30] %s works over REST, by name and by server', async (name) => {
  const { url } = await startChat()
  expect((await rest(url, `tools/${name}`, acknowledged)).status).toBe(200)
  expect((await rest(url, 'mcp/call', { server: 'ui', tool: name, arguments: acknowledged })).status).toBe(200)
})

test('[I32] Notifications vs reads: read_and_advance goes on where the subscriber was, after a restart too', async () => {
  const data = await temporaryFolder()
  const before = await startChat(data)
  await rest(before.url, 'tools/ui_chat_human_post', deployNow)
  const advance = async ({ url }: { url: string }) =>
    (await rest(url, 'tools/read_and_advance', { subscriber: 'orchestrator' })).body as Parameters<typeof contents>[0]
  expect(contents(await advance(before))).toEqual(['Deploy now?'])
  expect(contents(await advance(before))).toEqual([])
  await rest(before.url, 'tools/ui_chat_human_post', { ...deployNow, content: 'Ship it!' })
  await before.close()
  expect(contents(await advance(await startChat(data)))).toEqual(['Ship it!'])
})

test('[I33] Subscriber identity: the token is the default, and an administrator overrides it for a backfill', async () => {
  const { url, tokens } = await startChat()
  const token = async (name: string, role: 'human' | 'orchestrator' | 'admin') =>
    (await tokens.create({ name, role })).secret
  const chat = `${url}/mcp/chat`
  const human = await connectHttp(chat, { token: await token('human', 'human') })
  const orchestrator = await connectHttp(chat, { token: await token('orchestrator', 'orchestrator') })
  const admin = await connectHttp(chat, { token: await token('operator', 'admin') })
  await call(human, 'chat.human.post', deployNow)
  expect(contents(await call(orchestrator, 'read_and_advance', {}))).toEqual(['Deploy now?'])
  expect(contents(await call(admin, 'read_and_advance', { subscriber: 'orchestrator' }))).toEqual([])
  await expect(call(human, 'read_and_advance', { subscriber: 'orchestrator' })).rejects.toThrow('This is for admin')
})

test('[I35] Yielding turns: without the ui server its tools are gone, and what takes their place works', async () => {
  const hub = await openTestHub({ host: '127.0.0.1', port: 0, data: await temporaryFolder(), legacyUi: false })
  onTestFinished(hub.close)
  await expect(connectHttp(`${hub.url}/mcp/ui`)).rejects.toThrow()
  for (const name of ['ui_send_message', 'ui.end_turn'])
    expect((await rest(hub.url, `tools/${name}`, acknowledged)).body.error).toBe(`Unknown tool "${name}"`)
  await call(await connectHttp(`${hub.url}/mcp/chat`), 'chat.assistant.post', acknowledged)
  await call(await connectHttp(`${hub.url}/mcp/loop`), 'loop.yield_turn', {})
})

const words = { mime: 'text/markdown', content: 'CI is green on main' }
/** One call of each server. */
const CALLS: Record<SurfaceName, [tool: string, input: Record<string, unknown>]> = {
  bridge: ['send_message', { text: 'Deploy now?' }],
  agent: ['send_progress', { text: 'Deploying' }],
  chat: ['chat_human_post', words],
  human: ['chat_human_post', words],
  assistant: ['chat_assistant_post', words],
  loop: ['yield_turn', {}],
  ui: ['send_message', words],
  orchestrator: ['hold_conversation', { session_id: 'work', holder: 'test' }],
  gateway: ['chat_assistant_post', words],
}

/** A client at each of these servers, as an agent or a runtime starts it, of the eras by turns. */
async function startAll(surfaces: readonly SurfaceName[], eras: readonly Era[], data: string) {
  const servers = surfaces.map((surface, n) => startServer(surface, eras[n % eras.length] ?? 'legacy', data))
  return Promise.all(servers)
}

async function startServer(surface: SurfaceName, era: Era, data: string) {
  const args = ['stdio', '--surface', surface]
  const { client, url } = await agentOverStdio({ era, args, env: { PARLEY_DATA: data } })
  const next = updatesOf(client)
  const hasInbox = surface !== 'gateway' && client.getServerCapabilities()?.resources?.subscribe === true
  if (hasInbox) await subscribe(client, INBOX, era)
  return { surface, hasInbox, url: await url, expectToWork }

  async function expectToWork(content: string) {
    const [tool, input] = CALLS[surface]
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain(tool)
    expect(await call(client, tool, input)).toBeTruthy()
    if (!hasInbox) return
    const body = JSON.stringify({ mime: 'text/markdown', content })
    const posted = await fetch(`${await url}/api/tools/ui_chat_human_post`, { method: 'POST', body })
    const { id } = (await posted.json()) as { id: string }
    for (;;) if ((await next()).messages?.some((message) => message.id === id)) break
    const { contents } = await client.readResource({ uri: INBOX })
    expect((contents as { text: string }[])[0]?.text).toContain(id)
  }
}

const TURNS: Era[][] = [
  ['legacy', 'modern'],
  ['modern', 'legacy'],
]

test.each((SOAK > 1 ? TURNS : TURNS.slice(1)).map((eras) => ({ eras })))(
  '[C93] every server attaches to the hub that runs, and works, also after it was killed ($eras)',
  async ({ eras }) => {
    const data = await temporaryFolder()
    const running = await (await agentOverStdio({ env: { PARLEY_DATA: data } })).url
    const { pid } = hubOf(data)
    const servers = await startAll(SURFACES, eras, data)
    expect([hubOf(data).pid, new Set(servers.map(({ url }) => url))]).toEqual([pid, new Set([running])])
    expect(servers.flatMap(({ surface, hasInbox }) => (hasInbox ? [surface] : []))).toContain('human')
    const page = openPage(running)
    answerAll(page, () => 'Ship it!')
    for (const { expectToWork } of servers) await expectToWork('Hello!')
    process.kill(pid, 'SIGKILL')
    await page.until(() => page.resumed.length === 2)
    for (const { expectToWork } of servers) await expectToWork('Hello again!')
  },
)

/** One that asks, one with an inbox, and the gateway; what starts a hub does not look at what is served there. */
const FEW: SurfaceName[] = ['bridge', 'human', 'gateway']

test.each(SOAK > 1 ? SURFACES : FEW)('[C93] stdio --surface %s starts the hub where none runs', async (surface) => {
  const [server] = await startAll([surface], ['legacy'], await temporaryFolder())
  answerAll(openPage(server?.url ?? ''), () => 'Ship it!')
  await server?.expectToWork('Hello!')
})

test('[C94] a server that the hub does not let in says so in one sentence and ends, whatever it serves', async () => {
  const data = await temporaryFolder()
  await (await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_TOKENS: 'ada:human:of-ada-0123456789' } })).url
  const unknown = 'Unknown token; it may have been replaced'
  await Promise.all(SURFACES.map((surface) => refused(surface, unknown, { PARLEY_TOKEN: 'wrong' })))
  await refused('human', 'This hub requires a token')
  // The hub has seen nothing that it need worry about.
  expect(readFileSync(join(data, 'hub.log'), 'utf8')).not.toMatch(/Error|^ +at /m)

  async function refused(surface: SurfaceName, message: string, env = {}) {
    const server = startParley(['stdio', '--surface', surface], { PARLEY_DATA: data, ...env })
    expect(await server.line({ id: 1, method: 'ping' })).toMatchObject({ error: { message } })
    const { code, stderr } = await server.ended
    expect([code, stderr]).toEqual([1, `${message}\n`])
  }
})
