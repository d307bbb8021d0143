import { describe, expect, test } from 'vitest'
import { INBOX, STATUS } from '../../src/protocol/frames/inbox.ts'
import type { Era } from '../support/agent.ts'
import { ask } from '../support/chat.ts'
import { ADA, call, openSurfaces, ROBOT, readJson } from '../support/mcp/surfaces.ts'
import { subscribe, updatesOf } from '../support/mcp/updates.ts'

const HUMAN = '/mcp/human'
const ASSISTANT = '/mcp/assistant'
const hello = { mime: 'text/markdown', content: 'Hello' }

test('[I1] the inbox is listed and has the documented body and fields', async () => {
  const { connect } = openSurfaces()
  const human = await connect(HUMAN, ADA)
  const { resources } = await human.listResources()
  expect(resources.map(({ uri, mimeType }) => [uri, mimeType])).toEqual([
    [INBOX, 'application/json'],
    [STATUS, 'application/json'],
  ])
  const empty = await readJson(human, INBOX)
  expect(empty).toEqual({ mimeType: 'application/json', body: { last_id: '0'.repeat(16), messages: [] } })
  const { id, ts } = await call(human, 'chat_human_post', hello)
  const assistant = await connect(ASSISTANT, ROBOT)
  const answer = await call(assistant, 'chat_assistant_post', { mime: 'text/plain', content: 'Hi' })
  expect((await readJson(human, INBOX)).body).toEqual({
    last_id: answer.id,
    messages: [
      { id, ts, author: 'user', mime: 'text/markdown', content: 'Hello', session_id: 'chat' },
      { id: answer.id, ts: answer.ts, author: 'assistant', mime: 'text/plain', content: 'Hi', session_id: 'chat' },
    ],
  })
})

test('[I1] the inbox shows the newest 1,000 messages and says when there are older ones', async () => {
  const { view, connect } = openSurfaces()
  const human = await connect(HUMAN, ADA)
  const say = (n: number) => view.say('chat', { text: `${n}` })
  await Promise.all(Array.from({ length: 1000 }, (_, n) => say(n)))
  expect((await readJson(human, INBOX)).body.has_older).toBeUndefined()
  await say(1000)
  const { body } = await readJson(human, INBOX)
  expect([body.messages.length, body.messages[0]?.content, body.has_older]).toEqual([1000, '1', true])
})

test('[I2] one conversation has a URI of its own, and the replies to questions are messages too', async () => {
  const { view, connect } = openSurfaces()
  const human = await connect(HUMAN, ADA)
  const id = await ask(view, { by: 'robot', text: 'Deploy?' }, 'the work')
  await view.answer(id, 'Yes')
  await call(human, 'chat_human_post', { ...hello, session_id: 'other' })
  const { body } = await readJson(human, `${INBOX}/the%20work`)
  expect(body.messages.map(({ author, content }) => [author, content])).toEqual([
    ['assistant', 'Deploy?'],
    ['user', 'Yes'],
  ])
  expect((await readJson(human, INBOX)).body.messages).toHaveLength(3)
})

describe.each<Era>(['legacy', 'modern'])('a subscriber of the %s era', (era) => {
  test('[I4] is told of user messages with the messages themselves, and never of an assistant’s', async () => {
    const { connect } = openSurfaces()
    const human = await connect(HUMAN, ADA)
    const assistant = await connect(ASSISTANT, ROBOT)
    const program = await connect(ASSISTANT, { id: 'runtime', name: 'runtime', role: 'orchestrator' }, era)
    const next = updatesOf(program)
    await subscribe(program, INBOX, era)
    await call(assistant, 'chat_assistant_post', hello)
    const { id } = await call(human, 'chat_human_post', hello)
    const update = await next()
    expect(update.uri).toBe(INBOX)
    expect(update.messages).toMatchObject([{ id, author: 'user', content: 'Hello' }])
    expect(update._meta?.['parley/messages']).toEqual(update.messages)
  })

  test('[I4] gets messages close behind each other in one batch, and only of what it subscribed to', async () => {
    const { view, connect } = openSurfaces()
    const program = await connect(HUMAN, ADA, era)
    const next = updatesOf(program)
    await subscribe(program, `${INBOX}/work`, era)
    const say = (conversation: string, text: string) => view.say(conversation, { text })
    await Promise.all([say('other', 'x'), ...['a', 'b', 'c'].map((text) => say('work', text))])
    const first = await next()
    const updates = first.messages?.length === 3 ? [first] : [first, await next()]
    expect(updates.map(({ uri }) => uri)).toEqual(updates.map(() => `${INBOX}/work`))
    expect(updates.flatMap(({ messages = [] }) => messages.map(({ content }) => content))).toEqual(['a', 'b', 'c'])
  })

  test('[I3] sees whether an agent works, waits, is idle or is gone, and is told of every change', async () => {
    const { view, connect } = openSurfaces()
    const program = await connect(HUMAN, ADA, era)
    const next = updatesOf(program)
    await subscribe(program, STATUS, era)
    expect((await readJson(program, STATUS)).body).toMatchObject({
      type: 'local',
      ui: { ready: true },
      agent: { state: 'gone', since: expect.any(String) },
    })
    const session = view.agentSession({ conversation: 'work', title: 'Work' })
    expect((await next()).uri).toBe(STATUS)
    expect((await readJson(program, STATUS)).body).toMatchObject({ agent: { state: 'idle' } })
    void session.messages()
    expect((await next()).uri).toBe(STATUS)
    expect((await readJson(program, STATUS)).body).toMatchObject({ agent: { state: 'working' } })
    session.close()
    await next()
    expect((await readJson(program, STATUS)).body).toMatchObject({ agent: { state: 'gone' } })
  })
})

test('[I5] chat_read_since brings everything after the watermark, page by page, each message once', async () => {
  const { view, connect } = openSurfaces()
  const program = await connect(ASSISTANT, ROBOT)
  const texts = Array.from({ length: 25 }, (_, n) => `${n}`)
  for (const text of texts) {
    await view.say('chat', { text })
    await view.record('chat', { kind: 'thinking', by: 'robot', reasoning: 'not a message' })
  }
  const read: unknown[] = []
  let after_id: string | undefined
  for (;;) {
    const { messages, last_id } = await call(program, 'chat_read_since', { after_id, limit: 10 })
    if (messages.length === 0) break
    read.push(...messages.map(({ content }) => content))
    after_id = last_id
  }
  expect(read).toEqual(texts)
  expect((await call(program, 'chat_read_since', {})).messages).toHaveLength(25)
  expect(await call(program, 'chat_read_since', { after_id })).toEqual({
    messages: [],
    last_id: after_id,
    has_more: false,
  })
})

test('[I5] the watermark moves past what is no message, and nothing is looked at twice', async () => {
  const { view, connect } = openSurfaces()
  const program = await connect(ASSISTANT, ROBOT)
  const { id } = await view.say('chat', { text: 'Hello' })
  const steps = Array.from({ length: 30 }, (_, n) => `step ${n}`)
  for (const text of steps) await view.record('chat', { kind: 'progress', by: 'robot', text })
  const first = await call(program, 'chat_read_since', { session_id: 'chat' })
  expect(first.messages.map((message) => message.id)).toEqual([id])
  expect(first.last_id).toBe(await view.last())
  expect(await call(program, 'chat_read_since', { after_id: id })).toEqual({
    messages: [],
    last_id: first.last_id,
    has_more: false,
  })
  await view.say('chat', { text: 'Again' })
  const { messages } = await call(program, 'chat_read_since', { after_id: first.last_id })
  expect(messages.map(({ content }) => content)).toEqual(['Again'])
})

test('[I6] a post with a key happens once', async () => {
  const { connect } = openSurfaces()
  const human = await connect(HUMAN, ADA)
  const first = await call(human, 'chat_human_post', { ...hello, key: 'k' })
  expect(await call(human, 'chat_human_post', { ...hello, key: 'k' })).toEqual(first)
  expect((await readJson(human, INBOX)).body.messages).toHaveLength(1)
})

test('[I7] what an assistant does is told as entries of its own, and wrong events are refused', async () => {
  const { view, connect } = openSurfaces()
  const assistant = await connect(ASSISTANT, ROBOT)
  const events = [
    { type: 'tool_call', tool_name: 'Search', tool_args: '{"query":"weather"}' },
    { type: 'tool_result', tool_name: 'Search', result: 'Sunny', success: true },
    { type: 'thinking', reasoning: 'Planning' },
    { type: 'progress', text: 'Half done' },
    { type: 'error', error: 'It broke' },
  ]
  for (const event of events) await call(assistant, 'chat_assistant_event', event)
  const { entries } = await view.page('chat', { limit: 10 })
  expect(entries.map(({ body }) => body)).toEqual(
    events.map(({ type, ...told }) => ({ kind: type, by: 'test-client', ...told })),
  )
  await expect(call(assistant, 'chat_assistant_event', { type: 'tool_call', tool_name: 'x' })).rejects.toThrow(
    '"tool_args" must be text',
  )
  await expect(call(assistant, 'chat_assistant_event', { type: 'dance' })).rejects.toThrow('"type" must be tool_call')
})

test('[I8] a turn ends by yield_turn, and the legacy server writes to the same log', async () => {
  const { view, connect } = openSurfaces()
  const loop = await connect('/mcp/loop', ROBOT)
  const ui = await connect('/mcp/ui', ROBOT)
  expect(
    (await ui.listTools()).tools.map(({ name, description }) => [name, description?.startsWith('Deprecated')]),
  ).toEqual([
    ['send_message', true],
    ['end_turn', true],
    ['chat_read_since', false],
  ])
  await call(ui, 'send_message', hello)
  await call(ui, 'end_turn', {})
  await call(loop, 'yield_turn', {})
  const { entries } = await view.page('chat', { limit: 10 })
  expect(entries.map(({ body }) => body.kind)).toEqual(['message', 'turn', 'turn'])
})

test('[I9] dotted names work and are not listed', async () => {
  const { connect } = openSurfaces()
  const human = await connect(HUMAN, ADA)
  expect((await human.listTools()).tools.map(({ name }) => name)).toEqual(['chat_read_since', 'chat_human_post'])
  await call(human, 'chat.human.post', hello)
  expect((await call(human, 'chat.read_since', {})).messages).toHaveLength(1)
  await call(await connect('/mcp/loop', ROBOT), 'loop.yield_turn', {})
})

test('[I19] wrong input gets one sentence and changes nothing', async () => {
  const { connect } = openSurfaces()
  const human = await connect(HUMAN, ADA)
  const bad: [string, Record<string, unknown>, string][] = [
    ['chat_read_since', { after_id: 'x' }, '"after_id" must be the id of a message, which has at most 16 digits'],
    ['chat_read_since', { after_id: '1'.repeat(17) }, '"after_id" must be the id of a message'],
    ['chat_read_since', { after_id: '-1' }, '"after_id" must be the id of a message'],
    ['chat_read_since', { after_id: 5 }, '"after_id" must be the id of a message'],
    ['chat_read_since', { limit: 0 }, '"limit" must be a whole number from 1 on'],
    ['chat_read_since', { limit: -1 }, '"limit" must be a whole number from 1 on'],
    ['chat_read_since', { limit: 1.5 }, '"limit" must be a whole number from 1 on'],
    ['chat_read_since', { limit: '10' }, '"limit" must be a whole number from 1 on'],
    ['chat_human_post', { content: 'x' }, '"mime" must be a mime type, such as text/markdown'],
    ['chat_human_post', { mime: 'text/plain', content: '' }, '"content" must not be empty'],
    [
      'chat_human_post',
      { mime: 'text/plain', content: 'x'.repeat(1024 * 1024 + 1) },
      '"content" is larger than the limit of 1 MiB',
    ],
    ['chat_human_post', { ...hello, session_id: 'a\u0007' }, '"session_id" must not hold control characters'],
  ]
  for (const [name, input, sentence] of bad) await expect(call(human, name, input)).rejects.toThrow(sentence)
  for (const uri of ['ui://chat/outbox', `${INBOX}/`, `${INBOX}/%E0%A4%A`, 'file:///etc/passwd']) {
    await expect(human.readResource({ uri })).rejects.toThrow('Unknown resource')
    await expect(human.subscribeResource({ uri })).rejects.toThrow('Unknown resource')
  }
  expect((await readJson(human, INBOX)).body.messages).toEqual([])
})

test('[I19] a subscription of the modern era to an unknown URI is refused too', async () => {
  const { connect } = openSurfaces()
  const human = await connect(HUMAN, ADA, 'modern')
  for (const uri of ['ui://chat/outbox', 'file:///etc/passwd'])
    await expect(human.listen({ resourceSubscriptions: [uri] })).rejects.toThrow(`Unknown resource ${uri}`)
  await human.listen({ resourceSubscriptions: [INBOX] })
})
