import { expect, test } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import type { Entry } from '../../src/protocol/entries/entry.ts'
import { UNANSWERED } from '../../src/protocol/entries/unanswered.ts'
import { agentOverHttp } from '../support/agent.ts'
import { ask } from '../support/chat.ts'
import { startHub } from '../support/hub.ts'
import { connectV2 } from '../support/mcp/sdk-clients.ts'
import { type Client, connect, connectPage } from '../support/socket.ts'

/** The document knows one address. */
const WS = '/ws'
const CHAT = { type: 'chat', message: 'Hello agent', session_id: 'optional-session-id' }
const ECHO = { type: 'user_message', message: 'Hello agent' }
const NO_SESSION = [{}, { session_id: null }, { session_id: '' }]

const agentMessage = { type: 'agent_message', message: 'Hi! How can I help?' }
const toolCall = { type: 'tool_call', tool_name: 'Search', tool_args: '{"query":"weather"}' }
const toolResult = { type: 'tool_result', tool_name: 'Search', result: 'Sunny, 70F', success: true }
const agentThinking = { type: 'agent_thinking', reasoning: 'Planning tool usage...' }
const error = { type: 'error', error: 'Empty message received' }

/** How an agent tells it, and what everyone is told. */
const TOLD: [tool: string, input: object, event: { type: string }][] = [
  ['chat_assistant_post', { mime: 'text/markdown', content: agentMessage.message }, agentMessage],
  ['chat_assistant_event', toolCall, toolCall],
  ['chat_assistant_event', toolResult, toolResult],
  ['chat_assistant_event', { ...agentThinking, type: 'thinking' }, agentThinking],
  ['chat_assistant_event', error, error],
]

async function callTool(url: string, tool: string, input: object) {
  const response = await fetch(`${url}/api/tools/ui_${tool}`, { method: 'POST', body: JSON.stringify(input) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function said(view: View, conversation: string): Promise<Entry['body'][]> {
  return (await view.page(conversation, { limit: 99 })).entries.map(({ body }) => body)
}

async function others(view: View, ...known: string[]): Promise<string[]> {
  return (await view.conversations({ limit: 99 })).map(({ id }) => id).filter((id) => !known.includes(id))
}

async function speak(client: Client, frame: object) {
  client.say({ type: 'chat', ...frame })
  return client.next('user_message')
}

test('[W18] every event of the document comes to all connected clients, field for field', async () => {
  const { url } = await startHub()
  const clients = [await connect(url, WS), await connect(url, WS)]
  clients[0]?.say(CHAT)
  for (const client of clients) expect(await client.next('user_message')).toEqual(ECHO)
  for (const [tool, input, told] of TOLD) {
    expect(await callTool(url, tool, { ...input, session_id: 'optional-session-id' })).toMatchObject({ status: 200 })
    for (const client of clients) expect(await client.next(told.type)).toEqual(told)
  }
})

test('[I22] tool_args that is no JSON-encoded string is refused where it is written, and told to nobody', async () => {
  const { url, view } = await startHub()
  const refused = await callTool(url, 'chat_assistant_event', { ...toolCall, tool_args: 'query: weather' })
  expect(refused).toEqual({ status: 400, body: { error: '"tool_args" must be JSON text' } })
  expect(await others(view)).toEqual([])
})

test('[W20] an empty message and an unknown type trigger an error event, and nothing is said', async () => {
  const { view, url } = await startHub()
  const client = await connect(url, WS)
  for (const frame of [
    { ...CHAT, message: '' },
    { ...CHAT, message: ' \t\n' },
    { ...CHAT, type: 'talk' },
  ]) {
    client.say(frame)
    expect(await client.next('error')).toEqual({ type: 'error', error: expect.any(String) })
  }
  expect(await others(view)).toEqual([])
  expect(await speak(client, CHAT)).toEqual(ECHO)
})

test('[W19] with session_id the server reuses the history of that session across reconnects', async () => {
  const { view, url } = await startHub()
  const before = await connect(url, WS)
  await speak(before, { ...CHAT, message: 'before' })
  before.ws.close()
  await before.closed
  const after = await connect(url, WS)
  await speak(after, { ...CHAT, message: 'after' })
  expect(await said(view, CHAT.session_id)).toMatchObject([{ text: 'before' }, { text: 'after' }])
  expect(await others(view, CHAT.session_id)).toEqual([])
})

test('[W29] without session_id, absent, null or empty, there is continuity while the connection is open', async () => {
  const { view, url } = await startHub()
  const client = await connect(url, WS)
  for (const none of NO_SESSION) await speak(client, { message: 'Hello agent', ...none })
  const [own = ''] = await others(view)
  expect(await said(view, own)).toMatchObject([
    { text: 'Hello agent' },
    { text: 'Hello agent' },
    { text: 'Hello agent' },
  ])
  client.ws.close()
  await client.closed
  const next = await connect(url, WS)
  await speak(next, { message: 'Hello agent' })
  expect(await others(view, own)).toHaveLength(1)
  expect(await said(view, own)).toHaveLength(3)
})

test('[W29] words without session_id never answer the question of an agent that is not in their conversation', async () => {
  const { view, url } = await startHub()
  const agent = await agentOverHttp(url, { session: 'database' })
  const bystander = await connect(url, WS)
  const reply = agent.ask('Drop the production database?')
  await bystander.next('agent_message')
  for (const none of NO_SESSION) await speak(bystander, { message: 'yes please go on', ...none })
  expect((await view.conversation('database')).open).toMatchObject([{ text: 'Drop the production database?' }])
  expect(await speak(bystander, { message: 'No!', session_id: 'database' })).toMatchObject({ message: 'No!' })
  expect(await reply).toBe('No!')
})

test.each([
  ['?session=', '/ws?session=work', false],
  ['a token that is bound to it', WS, true],
])('[W29] with %s that conversation is the own one of the connection', async (_, path, bound) => {
  const { view, url, tokens } = await startHub()
  const token = bound ? (await tokens.create({ name: 'ada', conversation: 'work' })).secret : undefined
  const client = await connect(url, path, undefined, token ? { authorization: `Bearer ${token}` } : {})
  await ask(view, { by: 'robot', text: 'Drop it?' }, 'other')
  const question = await ask(view, { by: 'robot', text: 'Which colour?' }, 'work')
  for (const none of NO_SESSION) await speak(client, { message: 'Blue', ...none })
  expect((await said(view, 'work')).slice(2)).toMatchObject([
    { kind: 'settlement', question, reply: 'Blue' },
    { kind: 'message', text: 'Blue' },
    { kind: 'message', text: 'Blue' },
  ])
  expect((await view.conversation('other')).open).toHaveLength(1)
  expect(await others(view, 'work', 'other')).toEqual([])
})

test('[W30] words never decide on a call, whatever they say and whichever conversation they name', async () => {
  const { view, url } = await startHub()
  const approval = { tool_name: 'Bash', input: '{"command":"rm -rf /"}' }
  const id = await ask(view, { by: 'robot', text: 'May I use Bash?', approval }, 'work')
  const client = await connect(url, WS)
  const words = ['what is the weather?', 'Allow', 'Deny', 'Always allow']
  for (const message of words) await speak(client, { message, session_id: 'work' })
  for (const message of words) await speak(client, { message })
  expect((await view.conversation('work')).open).toMatchObject([{ id }])
  expect((await said(view, 'work')).slice(2)).toMatchObject(words.map((text) => ({ kind: 'message', text })))
  const [own = ''] = await others(view, 'work')
  expect(await said(view, own)).toMatchObject(words.map((text) => ({ kind: 'message', text })))
})

test('[W31] every accepted chat is echoed to all and is in the inbox, whatever became of it', async () => {
  const { view, url } = await startHub()
  const clients = [await connect(url, WS), await connect(url, WS)]
  await ask(view, { by: 'robot', text: 'Which colour?' }, 'work')
  await ask(view, { by: 'robot', text: 'May I?', approval: { tool_name: 'Bash', input: '{}' } }, 'work')
  const words = ['an answer', 'a message', 'beside an approval', 'in my own', 'in a new one']
  const where = ['work', 'work', 'work', undefined, 'elsewhere']
  for (const [n, message] of words.entries()) {
    clients[0]?.say({ type: 'chat', message, session_id: where[n] })
    for (const client of clients) expect(await client.next('user_message')).toEqual({ type: 'user_message', message })
  }
  const { body } = await callTool(url, 'chat_read_since', {})
  expect(wordsOfPeople(body)).toEqual(words)
  const program = await connectV2(`${url}/mcp/human`, 'auto')
  expect(wordsOfPeople(await program.read('ui://chat/inbox'))).toEqual(words)
})

test('[W45] a change comes to every client of /ws as a user_message of its own, and the first one stays', async () => {
  const { url } = await startHub()
  const clients = [await connect(url, WS), await connect(url, WS)]
  const page = await connectPage(url)
  const hear = async (message: string) => {
    for (const client of clients) expect(await client.next('user_message')).toEqual({ type: 'user_message', message })
  }
  page.say({ type: 'post', key: 'k1', conversation: 'work', text: 'Ship it' })
  await hear('Ship it')
  page.say({ type: 'revise', key: 'k2', conversation: 'work', message: 'k1', text: 'Ship it tomorrow' })
  await hear('Ship it tomorrow')
  page.say({ type: 'revise', key: 'k3', conversation: 'work', message: 'k1' })
  await hear('Taken back: "Ship it tomorrow"')
  page.say({ type: 'revise', key: 'k4', conversation: 'work', message: 'k1', text: 'Now!' })
  expect(await page.next('refused')).toMatchObject({ key: 'k4', code: 'not_revisable' })
  const { body } = await callTool(url, 'chat_read_since', {})
  expect(wordsOfPeople(body)).toEqual(['Ship it', 'Ship it tomorrow', 'Taken back: "Ship it tomorrow"'])
})

function wordsOfPeople(inbox: Record<string, unknown>): string[] {
  const messages = inbox.messages as { author: string; content: string }[]
  return messages.filter(({ author }) => author === 'user').map(({ content }) => content)
}

test('[W40] without a runner an error event follows the user_message of a chat', async () => {
  const { url } = await startHub()
  const client = await connect(url, `${WS}?dialect=loop`)
  client.say({ ...CHAT, session_id: undefined })
  expect(await client.any()).toEqual({ type: 'user_message', message: 'Hello agent' })
  expect(await client.any()).toEqual({ type: 'error', error: UNANSWERED.no_runner })
})
