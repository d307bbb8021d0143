import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSubscriptionManager } from '../../src/client/subscriptions.ts'
import type { Hub } from '../../src/hub.ts'
import type { AgentStatus } from '../../src/protocol/inbox.ts'
import type { Era } from '../support/agent.ts'
import { connectHttp } from '../support/http-client.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { call, type Message, readJson } from '../support/surfaces.ts'
import { listen, updatesOf } from '../support/updates.ts'

const INBOX = 'ui://chat/inbox'
const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const say = (content: string) => ({ mime: 'text/markdown', content })

/** A hub with the two identities of the document, each with a token of its own. */
async function openChatServer() {
  const data = await temporaryFolder()
  let hub: Hub = await startHub(data)
  const { secret: orchestrator } = await hub.tokens.create({ name: 'orchestrator', role: 'orchestrator' })
  const { secret: human } = await hub.tokens.create({ name: 'human', role: 'human' })
  return {
    orchestrator: (era?: Era) => connect('/mcp/assistant', orchestrator, era),
    frontend: (era?: Era) => connect('/mcp/human', human, era),
    async restart() {
      await hub.close()
      hub = await startHub(data)
    },
  }

  async function connect(path: string, token: string, era: Era = 'legacy'): Promise<Client> {
    const mode = era === 'modern' ? 'auto' : 'legacy'
    const client = new Client({ name: 'document', version: '1' }, { versionNegotiation: { mode } })
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}${path}`), { requestInit }))
    onTestFinished(() => client.close())
    return client
  }
}

function texts(messages: Message[] | undefined) {
  return messages?.map(({ content }) => content)
}

test('[I1] Resource Definition: the inbox has the documented body and fields', async () => {
  const { frontend } = await openChatServer()
  const client = await frontend()
  for (const content of ['CI is green on main', 'Deploy now?']) await call(client, 'chat.human.post', say(content))
  const { mimeType, body } = await readJson(client, INBOX)
  expect(mimeType).toBe('application/json')
  const message = { id: expect.any(String), ts: expect.stringMatching(ISO_8601), author: 'user', mime: 'text/markdown' }
  expect(body).toMatchObject({
    last_id: body.messages[1]?.id,
    messages: [
      { ...message, content: 'CI is green on main' },
      { ...message, content: 'Deploy now?' },
    ],
  })
  const ids = body.messages.map(({ id }) => id)
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(2)
})

describe.each<Era>(['legacy', 'modern'])('for a client of the %s era', (era) => {
  const subscribe = (client: Client, meta = {}) =>
    era === 'legacy' ? client.subscribeResource({ uri: INBOX, _meta: meta }) : listen(client, [INBOX], meta)

  test('[I4] Notification Format: an update brings the new user messages, and agents hear no echo', async () => {
    const { orchestrator, frontend } = await openChatServer()
    const [runtime, ui] = [await orchestrator(era), await frontend()]
    const next = updatesOf(runtime)
    await subscribe(runtime)
    await call(runtime, 'chat.assistant.post', say('Deployment in progress. ETA: 2 minutes.'))
    const { id, ts } = await call(ui, 'chat.human.post', say('Ship it!'))
    const { uri, messages } = await next()
    expect(uri).toBe(INBOX)
    expect(messages).toMatchObject([{ id, ts, author: 'user', mime: 'text/markdown', content: 'Ship it!' }])
    expect((await readJson(ui, INBOX)).body.messages.map(({ author }) => author)).toEqual(['assistant', 'user'])
  })

  test('[I16] [I40] Startup/Hydration Flow: a pinned subscription is stored, and what was said is read', async () => {
    const { orchestrator, frontend, restart } = await openChatServer()
    await call(await frontend(), 'chat.human.post', say('Before'))
    const before = await orchestrator(era)
    await subscribe(before, { 'parley/pinned': true })
    const { messages, last_id } = await call(before, 'chat_read_since', {})
    expect([texts(messages), last_id]).toEqual([['Before'], (await readJson(before, INBOX)).body.last_id])
    await restart()
    const after = await orchestrator(era)
    const next = updatesOf(after)
    if (era === 'modern') await after.listen({ resourceSubscriptions: ['ui://agent/status'] })
    else await after.listTools()
    await call(await frontend(), 'chat.human.post', say('After'))
    expect(texts((await next()).messages)).toEqual(['After'])
  })

  test('[I47] Notification Semantics: two subscribers hear the same, independently of each other', async () => {
    const { orchestrator, frontend } = await openChatServer()
    const [runtime, ui, other] = [await orchestrator(era), await frontend(era), await frontend()]
    const [nextOfRuntime, nextOfUi] = [updatesOf(runtime), updatesOf(ui)]
    await subscribe(runtime, { 'parley/pinned': true })
    const subscription = await subscribe(ui)
    await call(other, 'chat.human.post', say('Both'))
    expect(texts((await nextOfRuntime()).messages)).toEqual(['Both'])
    expect(texts((await nextOfUi()).messages)).toEqual(['Both'])
    if ('close' in subscription) await (subscription as { close(): Promise<void> }).close()
    else await ui.unsubscribeResource({ uri: INBOX })
    await call(other, 'chat.human.post', say('One'))
    expect(texts((await nextOfRuntime()).messages)).toEqual(['One'])
    await subscribe(ui)
    await call(other, 'chat.human.post', say('Again'))
    expect(texts((await nextOfUi()).messages)).toEqual(['Again'])
  })
})

test('[I5] Crash/Reconnect Flow: after a restart everything after the persisted watermark comes, and once', async () => {
  const { orchestrator, frontend, restart } = await openChatServer()
  const injected: unknown[] = []
  let last_id: string | undefined
  const catchUp = async (client: Client) => {
    const read = await call(client, 'chat_read_since', { after_id: last_id })
    injected.push(...read.messages.map(({ content }) => content))
    last_id = read.last_id
  }
  const runtime = await orchestrator()
  const next = updatesOf(runtime)
  await runtime.subscribeResource({ uri: INBOX })
  await call(await frontend(), 'chat.human.post', say('One'))
  await next()
  await catchUp(runtime)
  await runtime.close()
  await call(await frontend(), 'chat.human.post', say('Two'))
  await restart()
  await call(await frontend(), 'chat.human.post', say('Three'))
  const again = await orchestrator()
  await catchUp(again)
  await catchUp(again)
  expect(injected).toEqual(['One', 'Two', 'Three'])
})

test('[I10] [I44] Frontend Integration Guide: subscribeToChat shows the timeline, and assistants’ posts', async () => {
  const { orchestrator, frontend } = await openChatServer()
  const shown: string[][] = []
  let wake = () => {}
  const client = await frontend()
  const subMgr = createSubscriptionManager(client, { readEveryMs: 20 })
  onTestFinished(subMgr.close)
  await subMgr.subscribe('ui://chat/inbox', (data) => {
    if (data.error) {
      console.error('Chat resource error:', data.message)
      return
    }
    const inbox = JSON.parse(data[0]?.text ?? '')
    updateChatTimeline(inbox.messages)
  })
  expect(shown).toEqual([[]])
  await subMgr.call('chat.human.post', say("What's the deployment status?"))
  await call(await orchestrator(), 'chat.assistant.post', say('Done.'))
  const whole = ["user: What's the deployment status?", 'assistant: Done.']
  while (shown.at(-1)?.join() !== whole.join()) await new Promise<void>((resolve) => (wake = resolve))

  function updateChatTimeline(messages: Message[]) {
    shown.push(messages.map(({ author, content }) => `${author}: ${content}`))
    wake()
  }
})

test('[I42] [I43] Component Integration: the composer shows while the hub is ready, whoever drives the agent', async () => {
  const { orchestrator, frontend } = await openChatServer()
  const ui = await frontend()
  const next = updatesOf(ui)
  await ui.subscribeResource({ uri: 'ui://agent/status' })
  const agentStatus = async () => (await readJson(ui, 'ui://agent/status')).body as unknown as AgentStatus
  const isReadyToChat = ({ ui, type }: AgentStatus) => ui?.ready === true && ['local', 'ui'].includes(type)
  const local = await agentStatus()
  expect([local.type, isReadyToChat(local)]).toEqual(['local', true])
  await (await orchestrator()).subscribeResource({ uri: INBOX, _meta: { 'parley/pinned': true } })
  await next()
  const driven = await agentStatus()
  expect([driven.type, isReadyToChat(driven)]).toEqual(['ui', true])
})

const ID = /^\d{16}$/
const posted = { id: expect.stringMatching(ID), ts: expect.stringMatching(ISO_8601) }

test('[I29] Tools (Chat Server): all three at one server, with the inputs and outputs of the document', async () => {
  const { url } = await startHub()
  const chat = await connectHttp(`${url}/mcp/chat`)
  const status = { mime: 'text/markdown', content: "What's the deployment status?" }
  const progress = { mime: 'text/markdown', content: 'Deployment in progress. ETA: 2 minutes.' }
  const asked = await call(chat, 'chat.human.post', status)
  const answered = await call(chat, 'chat.assistant.post', progress)
  expect([asked, answered]).toEqual([posted, posted])
  const read = await call(chat, 'chat_read_since', { after_id: '1700000012344', limit: 50 })
  expect(read).toEqual({
    messages: [
      { ...asked, author: 'user', ...status, session_id: 'chat' },
      { ...answered, author: 'assistant', ...progress, session_id: 'chat' },
    ],
    last_id: answered.id,
    has_more: false,
  })
  expect((await readJson(chat, 'ui://chat/inbox')).body).toEqual({ last_id: answered.id, messages: read.messages })
})

test('[I5] chat_read_since: without a limit all that remains, with any limit as many', async () => {
  const { url, view } = await startHub()
  await Promise.all(Array.from({ length: 1500 }, (_, n) => view.say('chat', { text: `${n}` })))
  const chat = await connectHttp(`${url}/mcp/chat`)
  const all = await call(chat, 'chat_read_since', { after_id: '1700000012344' })
  expect([all.messages.length, all.has_more]).toEqual([1500, false])
  expect((await call(chat, 'chat_read_since', { after_id: '', limit: 5_000_000 })).messages).toHaveLength(1500)
  const some = await call(chat, 'chat_read_since', { after_id: null, limit: 50 })
  expect([some.messages.length, some.has_more, some.last_id]).toEqual([50, true, all.messages[49]?.id])
  const rest = await call(chat, 'chat_read_since', { after_id: some.last_id })
  expect(rest).toEqual({ messages: all.messages.slice(50), last_id: all.last_id, has_more: false })
})

test('[I20] Testing the Chat Inbox: the curl line and the fetch of MessageComposer', async () => {
  const { url, view } = await startHub()
  const curl = await fetch(`${url}/api/tools/ui_chat_human_post`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: '{"mime": "text/markdown", "content": "Hello!"}',
  })
  expect([curl.status, await curl.json()]).toEqual([200, posted])
  const composer = await fetch(`${url}/api/mcp/call`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      server: 'ui',
      tool: 'chat.human.post',
      arguments: { mime: 'text/markdown', content: 'message' },
    }),
  })
  expect([composer.status, await composer.json()]).toEqual([200, posted])
  const { entries } = await view.page('chat', { limit: 2 })
  expect(entries.map(({ body }) => body)).toMatchObject([
    { author: 'user', text: 'Hello!' },
    { author: 'user', text: 'message' },
  ])
})

test.each<[string, unknown]>([
  ['application/json', { deploy: { to: 'main', at: [1, 2.5, null], ok: true } }],
  ['text/markdown; charset=utf-8', '**CI** is green on main'],
  ['application/x-unknown', 'whatever it is'],
])('[I23] [I24] Message Fields: content of type %s comes back as it was posted', async (mime, content) => {
  const { url } = await startHub()
  const chat = await connectHttp(`${url}/mcp/chat`)
  const { id, ts } = await call(chat, 'chat.human.post', { mime, content })
  const message = { id, ts, author: 'user', mime, content, session_id: 'chat' }
  expect((await call(chat, 'chat_read_since', {})).messages).toEqual([message])
  expect((await readJson(chat, INBOX)).body.messages).toEqual([message])
})
