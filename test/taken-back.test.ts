import { expect, test } from 'vitest'
import type { View } from '../src/chat/view.ts'
import { ERRORS } from '../src/protocol/errors.ts'
import { INBOX, inboxUri } from '../src/protocol/inbox.ts'
import type { Era } from './support/agent.ts'
import { person } from './support/chat.ts'
import { startHub } from './support/hub.ts'
import { connectPage } from './support/socket.ts'
import { ADA, call, openSurfaces, ROBOT, readJson } from './support/surfaces.ts'
import { subscribe, updatesOf } from './support/updates.ts'

const ASSISTANT = '/mcp/assistant'
const received = ERRORS.already_received.text
const eras: Era[] = ['legacy', 'modern']
const contents = ({ messages }: { messages: { content: unknown }[] }) => messages.map(({ content }) => content)

/** A message that got other words, and one that was taken back. */
async function revisedIn(view: View) {
  const { id } = await view.say('chat', { text: 'Frist' })
  const secret = await view.say('chat', { text: 'Secret' })
  await view.revise('chat', id, 'First')
  await view.revise('chat', secret.id, undefined)
  return id
}

test.each(eras)('[M50] over MCP an agent of the %s era gets the newest words and what they answer', async (era) => {
  const { view, connect } = openSurfaces()
  const agent = await connect('/mcp/agent', { ...ROBOT, conversation: 'chat' }, era)
  const told = await view.tell('chat', { by: 'kimi', text: 'Two ways' })
  await view.say('chat', { text: 'The first one', answers: told.id })
  const id = await revisedIn(view)
  const { messages } = (await call(agent, 'check_messages', {})) as unknown as { messages: object[] }
  expect(messages).toEqual([
    { text: 'The first one', at: expect.any(String), in_reply_to: 'Two ways' },
    { text: 'First', at: expect.any(String) },
  ])
  await expect(view.revise('chat', id, 'Once more')).rejects.toThrow(received)
})

test('[I48] the inbox has the newest words of a message and nothing of what was taken back', async () => {
  const { view, connect } = openSurfaces()
  await revisedIn(view)
  const program = await connect(ASSISTANT, ROBOT)
  expect(contents((await readJson(program, INBOX)).body)).toEqual(['First'])
  expect(contents((await readJson(program, inboxUri('chat'))).body)).toEqual(['First'])
  expect(contents(await call(program, 'chat_read_since', {}))).toEqual(['First'])
  expect(contents(await call(program, 'read_and_advance', {}))).toEqual(['First'])
  expect(contents(await call(program, 'read_and_advance', {}))).toEqual([])
})

test.each([
  ['chat_read_since', {}],
  ['chat_read_since', { session_id: 'chat' }],
  ['read_and_advance', {}],
  ['resources/read', {}],
])('[I48] what an agent was handed by %s %j is received', async (name, input) => {
  const { view, connect } = openSurfaces()
  const before = await view.say('chat', { text: 'Hello' })
  const program = await connect(ASSISTANT, ROBOT)
  const read = name === 'resources/read' ? await readJson(program, INBOX) : await call(program, name, input)
  expect(read).toBeDefined()
  await expect(view.revise('chat', before.id, undefined)).rejects.toThrow(received)
  const after = await view.say('chat', { text: 'Not read by anybody' })
  await view.revise('chat', after.id, undefined)
})

test('[I48] what a person reads is not received', async () => {
  const { chat, connect } = openSurfaces()
  const ada = person(chat, 'ada')
  const { id } = await ada.say('chat', { text: 'Hello' })
  expect(contents(await call(await connect('/mcp/human', ADA), 'chat_read_since', {}))).toEqual(['Hello'])
  await ada.revise('chat', id, undefined)
})

test.each(eras)(
  '[I48] a subscriber of the %s era is told of nothing that was taken back, and has what it was told',
  async (era) => {
    const { view, connect } = openSurfaces()
    const program = await connect(ASSISTANT, ROBOT, era)
    const next = updatesOf(program)
    await subscribe(program, INBOX, era)
    const posted = view.say('chat', { text: 'Secret' }, 'k1')
    await view.revise('chat', 'k1', undefined)
    await posted
    const { id } = await view.say('chat', { text: 'Hello' })
    const { messages = [] } = await next()
    expect(contents({ messages })).toEqual(['Hello'])
    await expect(view.revise('chat', id, undefined)).rejects.toThrow(received)
  },
)

test('[I49] a message of the inbox names what it answers, with its beginning', async () => {
  const { view, connect } = openSurfaces()
  const told = await view.tell('chat', { by: 'kimi', text: 'Two ways' })
  await view.say('chat', { text: 'The first', answers: told.id })
  const program = await connect(ASSISTANT, ROBOT)
  const { messages } = await call(program, 'chat_read_since', {})
  expect(messages).toMatchObject([{ content: 'Two ways' }, { in_reply_to: { id: told.id, text: 'Two ways' } }])
  expect(messages[0]).not.toHaveProperty('in_reply_to')
})

test('[I48] over REST, too, an agent gets the newest words, which are received then', async () => {
  const { view, url } = await startHub()
  const id = await revisedIn(view)
  const answer = await fetch(`${url}/api/tools/assistant_chat_read_since`, { method: 'POST', body: '{}' })
  expect(contents((await answer.json()) as { messages: { content: unknown }[] })).toEqual(['First'])
  await expect(view.revise('chat', id, undefined)).rejects.toThrow(received)
})

test('[Q54] a page takes back what it has just posted, by its key, and is refused with a code', async () => {
  const { view, url } = await startHub()
  const page = await connectPage(url, {})
  page.say({ type: 'post', key: 'k1', conversation: 'chat', text: 'Secret' })
  page.say({ type: 'revise', key: 'k2', conversation: 'chat', message: 'k1' })
  page.say({ type: 'revise', key: 'k3', conversation: 'chat', message: 'k1', text: 'Other' })
  expect(await page.next('accepted')).toMatchObject({ key: 'k1' })
  expect(await page.next('accepted')).toMatchObject({ key: 'k2' })
  expect(await page.next('refused')).toMatchObject({ key: 'k3', code: 'not_revisable' })
  const { id } = await view.say('chat', { text: 'Hello' })
  await view.seat({ conversation: 'chat', title: 'chat' }).messages()
  page.say({ type: 'revise', key: 'k4', conversation: 'chat', message: id })
  expect(await page.next('refused')).toMatchObject({ key: 'k4', code: 'already_received', error: received })
})

test('[Q56] what was taken back is found by no search and in no file but the log as JSON', async () => {
  const { view, url } = await startHub()
  await revisedIn(view)
  const found = async (query: string) =>
    (await view.search({ query, limit: 10 })).hits.map(({ snippet }) => snippet.text)
  for (;;) if (!(await view.search({ query: 'x', limit: 1 })).indexing) break
  expect([await found('Secret'), await found('Frist'), await found('First')]).toEqual([[], [], ['First']])
  const exported = async (format: string) => (await fetch(`${url}/api/export/chat?format=${format}`)).text()
  for (const format of ['md', 'html']) {
    const file = await exported(format)
    expect([file.includes('Secret'), file.includes('Frist'), file.includes('First')]).toEqual([false, false, true])
    expect(file).toContain('person took a message back')
  }
  expect(JSON.parse(await exported('json')).entries).toHaveLength(4)
})
