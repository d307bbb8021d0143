import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSubscriptionManager } from '../../src/client/subscriptions.ts'
import { UNANSWERED } from '../../src/protocol/entries/unanswered.ts'
import type { AgentStatus } from '../../src/protocol/frames/inbox.ts'
import type { Era } from '../support/agent.ts'
import { watching } from '../support/driven/driven.ts'
import { openDoors, POSTED } from '../support/driven/undriven.ts'
import { startHub } from '../support/hub.ts'
import { INBOX, ISO_8601, openChatServer, say, texts } from '../support/mcp/chat-server.ts'
import { connectHttp } from '../support/mcp/http-client.ts'
import { call, type Message, readJson } from '../support/mcp/surfaces.ts'
import { listen, updatesOf } from '../support/mcp/updates.ts'

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

  test('[I48] [I70] Notification Semantics: a change is a new message that refers to the old one, which stays', async () => {
    const { orchestrator, frontend, page: openPage } = await openChatServer()
    const [runtime, ui, page] = [await orchestrator(era), await frontend(era), await openPage()]
    const next = [updatesOf(runtime), updatesOf(ui)]
    for (const client of [runtime, ui]) await subscribe(client)
    const { id: first } = await call(ui, 'chat.human.post', say('Ship it!'))
    for (const update of next) expect((await update()).messages).toMatchObject([{ id: first, content: 'Ship it!' }])
    let last = (await call(runtime, 'chat_read_since', {})).last_id
    const history = [{ id: first, content: 'Ship it!' }]
    const changes = [
      ['Ship it tomorrow', 'Ship it tomorrow', {}],
      [undefined, 'Taken back: "Ship it tomorrow"', { taken_back: true }],
    ] as const
    for (const [n, [text, content, more]] of changes.entries()) {
      page.say({ type: 'revise', key: `k${n}`, conversation: 'chat', message: first, text })
      const message = { author: 'user', mime: 'text/markdown', content, revises: first, ...more }
      for (const update of next) {
        const { uri, messages } = await update()
        expect(uri).toBe(INBOX)
        expect(messages).toMatchObject([message])
      }
      const since = await call(runtime, 'chat_read_since', { after_id: last })
      expect(since.messages).toMatchObject([message])
      expect(since.last_id > last).toBe(true)
      last = since.last_id
      history.push({ id: since.messages[0]?.id ?? '', content })
      for (const client of [runtime, ui]) {
        const { body } = await readJson(client, INBOX)
        expect(body).toMatchObject({ last_id: last, messages: history })
        expect(body.messages[0]).not.toHaveProperty('revises')
      }
    }
    expect((await call(runtime, 'chat_read_since', { after_id: first })).messages).toMatchObject(history.slice(1))
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
/** Where nobody answers, the answer says so besides. */
const said = { ...posted, notice: UNANSWERED.no_runner }

test('[I29] Tools (Chat Server): all three at one server, with the inputs and outputs of the document', async () => {
  const { url } = await startHub()
  const chat = await connectHttp(`${url}/mcp/chat`)
  const status = { mime: 'text/markdown', content: "What's the deployment status?" }
  const progress = { mime: 'text/markdown', content: 'Deployment in progress. ETA: 2 minutes.' }
  const asked = await call(chat, 'chat.human.post', status)
  const answered = await call(chat, 'chat.assistant.post', progress)
  expect([asked, answered]).toEqual([said, posted])
  const { notice: _, ...message } = asked
  const read = await call(chat, 'chat_read_since', { after_id: '1700000012344', limit: 50 })
  expect(read).toEqual({
    messages: [
      { ...message, author: 'user', ...status, session_id: 'chat' },
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
  expect([curl.status, await curl.json()]).toEqual([200, said])
  const composer = await fetch(`${url}/api/mcp/call`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      server: 'ui',
      tool: 'chat.human.post',
      arguments: { mime: 'text/markdown', content: 'message' },
    }),
  })
  expect([composer.status, await composer.json()]).toEqual([200, said])
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
  const messages = [{ id, ts, author: 'user', mime, content, session_id: 'chat' }]
  expect(await call(chat, 'chat_read_since', {})).toMatchObject({ messages })
  expect((await readJson(chat, INBOX)).body).toMatchObject({ messages })
})

test('[O120] the curl line of chat.human.post is answered where a runner is', async () => {
  const { view, run, curl } = await openDoors()
  await run('robot')
  expect(await curl()).toEqual({ id: expect.any(String), ts: expect.any(String) })
  const [, answer] = await watching(view, 'chat').until('message', 2)
  expect(answer).toMatchObject({ author: 'assistant', by: 'scripted', text: 'You said: Hello!' })
})

test('[I60] without a runner the answer of chat.human.post says so', async () => {
  const { hub, curl } = await openDoors()
  const told = { id: expect.any(String), ts: expect.any(String), notice: UNANSWERED.no_runner }
  expect(await curl()).toEqual(told)
  const human = await connectHttp(`${hub.url}/mcp/human`)
  expect(await call(human, 'chat_human_post', JSON.parse(POSTED))).toEqual(told)
  const { tools } = await human.listTools()
  const posting = tools.find(({ name }) => name === 'chat_human_post')
  expect(posting?.outputSchema).toMatchObject({ properties: { notice: { type: 'string' } }, required: ['id', 'ts'] })
})

test('[O124] a runner that comes later answers everything that waits, in order and once', async () => {
  const { view, run, curl, prompts } = await openDoors()
  await curl()
  await view.say('chat', { text: 'Are you there?' })
  const runner = await run('robot')
  const watch = watching(view, 'chat')
  await watch.until('turn')
  expect(prompts).toEqual(['Hello!\n\nAre you there?'])
  // It was there before, too.
  await runner.close()
  await view.say('later', { text: 'One more' })
  await run('robot')
  await watching(view, 'later').until('turn')
  expect(prompts.slice(1)).toEqual(['One more'])
  expect(watch.bodies('message').filter(({ author }) => author === 'assistant')).toHaveLength(1)
})
