import { expect, test } from 'vitest'
import { ask } from '../../support/chat.ts'
import { startHub } from '../../support/hub.ts'
import { connect } from '../../support/socket.ts'

const LOOP = '/ws?dialect=loop'

test('[W18] a chat is echoed to every client, field for field', async () => {
  const { view, url } = await startHub()
  const [one, two] = [await connect(url, LOOP), await connect(url, LOOP)]
  one.say({ type: 'chat', message: 'Hello agent', session_id: 'work' })
  for (const client of [one, two])
    expect(await client.next('user_message')).toEqual({ type: 'user_message', message: 'Hello agent' })
  expect((await view.page('work', { limit: 5 })).entries.map(({ body }) => body)).toMatchObject([
    { author: 'user', text: 'Hello agent' },
  ])
})

test('[W18] everything an agent says and does comes as its documented event', async () => {
  const { view, url } = await startHub()
  const client = await connect(url, LOOP)
  await view.tell('work', { by: 'robot', text: 'Hi! How can I help?' })
  await view.record('work', { kind: 'tool_call', by: 'robot', tool_name: 'Search', tool_args: '{"query":"weather"}' })
  await view.record('work', {
    kind: 'tool_result',
    by: 'robot',
    tool_name: 'Search',
    result: 'Sunny, 70F',
    success: true,
  })
  await view.record('work', { kind: 'thinking', by: 'robot', reasoning: 'Planning tool usage...' })
  await view.record('work', { kind: 'error', by: 'robot', error: 'It broke' })
  const events = [
    { type: 'agent_message', message: 'Hi! How can I help?' },
    { type: 'tool_call', tool_name: 'Search', tool_args: '{"query":"weather"}' },
    { type: 'tool_result', tool_name: 'Search', result: 'Sunny, 70F', success: true },
    { type: 'agent_thinking', reasoning: 'Planning tool usage...' },
    { type: 'error', error: 'It broke' },
  ]
  for (const event of events) expect(await client.next(event.type)).toEqual(event)
})

test('[W19] with a session the conversation goes on across connections, without one it lives as long as the connection', async () => {
  const { view, url } = await startHub()
  const first = await connect(url, LOOP)
  first.say({ type: 'chat', message: 'one', session_id: 'work' })
  await first.next('user_message')
  for (const message of ['mine', 'mine too']) {
    first.say({ type: 'chat', message })
    await first.next('user_message')
  }
  first.ws.close()
  const second = await connect(url, LOOP)
  second.say({ type: 'chat', message: 'two', session_id: 'work' })
  await second.next('user_message')
  second.say({ type: 'chat', message: 'another' })
  await second.next('user_message')
  const texts = async (conversation: string) =>
    (await view.page(conversation, { limit: 9 })).entries.map(({ body }) => body.kind === 'message' && body.text)
  expect(await texts('work')).toEqual(['one', 'two'])
  const others = (await view.conversations({ limit: 9 })).map(({ id }) => id).filter((id) => id !== 'work')
  expect(await Promise.all(others.map(texts))).toEqual([['another'], ['mine', 'mine too']])
})

test('[W20] empty messages and unknown types get an error event, and nothing is said', async () => {
  const { view, url } = await startHub()
  const client = await connect(url, LOOP)
  const bad: [unknown, string][] = [
    [{ type: 'chat', message: '' }, '"message" must not be empty'],
    [{ type: 'chat', message: ' \n ' }, '"message" must not be empty'],
    [{ type: 'chat' }, '"message" must be text'],
    [{ type: 'chat', message: 'x', session_id: ' ' }, '"session_id" must not be empty'],
    [{ type: 'chat', message: 'x', session_id: 7 }, '"session_id" must be text'],
    [{ type: 'ack', id: '1', message: 'x' }, 'Unknown frame type "ack"'],
    [{ type: 'dance' }, 'Unknown frame type "dance"'],
  ]
  for (const [frame, error] of bad) {
    client.say(frame)
    expect(await client.next('error')).toEqual({ type: 'error', error })
  }
  expect(await view.conversations({ limit: 9 })).toEqual([])
})

test('[W30] a chat skips an approval for the next question that wants words, in a conversation of its own too', async () => {
  const { view, url } = await startHub()
  const approval = { tool_name: 'Bash', input: '{}' }
  const client = await connect(url, '/ws?dialect=loop&session=work')
  const asked = [
    await ask(view, { by: 'robot', text: 'May I?', approval }),
    await ask(view, { by: 'robot', text: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }),
  ]
  for (const message of ['Blue', 'Allow', 'Deny', 'Always allow']) {
    client.say({ type: 'chat', message })
    expect(await client.next('user_message')).toEqual({ type: 'user_message', message })
  }
  const { entries } = await view.page('work', { after: asked[1], limit: 9 })
  expect(entries.map(({ body }) => body)).toMatchObject([
    { kind: 'settlement', question: asked[1], reply: 'Blue', choices: ['Blue'] },
    { kind: 'message', text: 'Allow' },
    { kind: 'message', text: 'Deny' },
    { kind: 'message', text: 'Always allow' },
  ])
  expect((await view.conversation('work')).open).toMatchObject([{ id: asked[0] }])
})
