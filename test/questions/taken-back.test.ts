import { expect, test } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import { INBOX, inboxUri } from '../../src/protocol/frames/inbox.ts'
import type { Era } from '../support/agent.ts'
import { startHub } from '../support/hub.ts'
import { call, openSurfaces, ROBOT, readJson } from '../support/mcp/surfaces.ts'
import { subscribe, updatesOf } from '../support/mcp/updates.ts'
import { connectPage } from '../support/socket.ts'
import { uploaded } from '../support/uploads.ts'

const ASSISTANT = '/mcp/assistant'
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
  const check = async () => ((await call(agent, 'check_messages', {})) as unknown as { messages: object[] }).messages
  expect(await check()).toEqual([
    { text: 'The first one', at: expect.any(String), in_reply_to: 'Two ways' },
    { text: 'First', at: expect.any(String) },
  ])
  await view.revise('chat', id, 'Once more')
  const text = 'The person changed an earlier message, "First". It now says:\n\nOnce more'
  expect(await check()).toEqual([{ text, revises: 'First', at: expect.any(String) }])
})

const STORY = ['Frist', 'Secret', 'First', 'Taken back: "Secret"']

test('[I48] the inbox keeps what was said, and has each change as a message behind it', async () => {
  const { view, connect } = openSurfaces()
  const id = await revisedIn(view)
  const program = await connect(ASSISTANT, ROBOT)
  for (const uri of [INBOX, inboxUri('chat')]) {
    const { body } = await readJson(program, uri)
    expect(contents(body)).toEqual(STORY)
    expect(body.last_id).toBe(body.messages[3]?.id)
    expect(body.messages[2]).toMatchObject({ author: 'user', mime: 'text/markdown', revises: id })
    expect(body.messages[3]).toMatchObject({ revises: body.messages[1]?.id, taken_back: true })
    expect(body.messages[0]).not.toHaveProperty('revises')
  }
  expect(contents(await call(program, 'chat_read_since', {}))).toEqual(STORY)
  expect(contents(await call(program, 'chat_read_since', { after_id: id }))).toEqual(STORY.slice(1))
  expect(contents(await call(program, 'read_and_advance', {}))).toEqual(STORY)
  await view.revise('chat', id, 'Once more')
  expect(contents(await call(program, 'read_and_advance', {}))).toEqual(['Once more'])
})

test('[I70] whatever is revised in whichever order, no message of the inbox changes and last_id only grows', async () => {
  const { view, connect } = openSurfaces()
  const program = await connect(ASSISTANT, ROBOT)
  const known = new Map<string, unknown>()
  let last = ''
  const said: string[] = []
  for (let n = 0; n < 40; n++) {
    if (n % 4 === 0) said.push((await view.say('chat', { text: `Message ${n}` })).id)
    else
      await view
        .revise('chat', said[(n * 7) % said.length] ?? '', n % 8 === 7 ? undefined : `Words ${n}`)
        .catch(() => {})
    const { body } = await readJson(program, INBOX)
    for (const message of body.messages) {
      expect(known.get(message.id) ?? message).toEqual(message)
      known.set(message.id, message)
    }
    expect(body.last_id >= last).toBe(true)
    last = body.last_id
    expect((await call(program, 'chat_read_since', {})).messages).toEqual(body.messages)
  }
  expect(known.size).toBeGreaterThan(20)
})

test.each(eras)('[I70] a subscriber of the %s era is notified of a change as of every message', async (era) => {
  const { view, connect } = openSurfaces()
  const program = await connect(ASSISTANT, ROBOT, era)
  const next = updatesOf(program)
  await subscribe(program, INBOX, era)
  const { id } = await view.say('chat', { text: 'Secret' })
  expect(await next()).toMatchObject({ messages: [{ id, content: 'Secret' }] })
  await view.revise('chat', id, 'Nothing')
  expect(await next()).toMatchObject({ messages: [{ content: 'Nothing', revises: id }] })
  await view.revise('chat', id, undefined)
  expect(await next()).toMatchObject({
    messages: [{ content: 'Taken back: "Nothing"', revises: id, taken_back: true }],
  })
})

test('[I70] a change has the files of its message, and one without words says which it is', async () => {
  const { view, url } = await startHub()
  const { hash, name, mime } = await uploaded(url, 'The plan', { name: 'plan.txt' })
  const { id } = await view.say('chat', { text: '', attachments: [{ hash, name, mime }] })
  await view.revise('chat', id, 'See the plan')
  await view.revise('chat', id, undefined)
  const answer = await fetch(`${url}/api/tools/assistant_chat_read_since`, { method: 'POST', body: '{}' })
  const { messages } = (await answer.json()) as { messages: { content: string; attachments?: object[] }[] }
  expect(messages.map(({ content, attachments }) => [content, attachments?.length])).toEqual([
    ['[Attached: plan.txt]', 1],
    ['See the plan\n\n[Attached: plan.txt]', 1],
    ['Taken back: "See the plan"', undefined],
  ])
})

test('[I49] a message of the inbox names what it answers, with its beginning', async () => {
  const { view, connect } = openSurfaces()
  const told = await view.tell('chat', { by: 'kimi', text: 'Two ways' })
  await view.say('chat', { text: 'The first', answers: told.id })
  const program = await connect(ASSISTANT, ROBOT)
  const { messages } = await call(program, 'chat_read_since', {})
  expect(messages).toMatchObject([{ content: 'Two ways' }, { in_reply_to: { id: told.id, text: 'Two ways' } }])
  expect(messages[0]).not.toHaveProperty('in_reply_to')
})

test('[I48] over REST, too, a change is a message of its own', async () => {
  const { view, url } = await startHub()
  await revisedIn(view)
  const answer = await fetch(`${url}/api/tools/assistant_chat_read_since`, { method: 'POST', body: '{}' })
  expect(contents((await answer.json()) as { messages: { content: unknown }[] })).toEqual(STORY)
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
  await view.agentSession({ conversation: 'chat', title: 'chat' }).messages()
  for (const _ of ['', 'again']) page.say({ type: 'revise', key: 'k4', conversation: 'chat', message: id })
  const accepted = await page.next('accepted')
  expect(accepted).toMatchObject({ key: 'k4' })
  expect(await page.next('accepted')).toEqual(accepted)
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
