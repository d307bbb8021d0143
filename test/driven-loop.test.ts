import { expect, test } from 'vitest'
import { startHub } from './support/hub.ts'
import { connectRunner, RUNNER } from './support/runner.ts'
import { connect } from './support/socket.ts'

const LOOP = '/ws?dialect=loop'

test('[O33] a chat in no conversation, or in a new one, goes to the first runner, and its events come back', async () => {
  const { view, url } = await startHub()
  const runner = await connectRunner(url)
  await runner.offer()
  await runner.offer({ name: 'apples', folder: '/home/ada/apples' })
  await runner.offer({ name: 'aaa', problem: 'Log in first' })
  const client = await connect(url, LOOP)
  client.say({ type: 'chat', message: 'Hello agent', session_id: 'work' })
  expect(await client.next('user_message')).toEqual({ type: 'user_message', message: 'Hello agent' })
  expect(await view.conversation('work')).toMatchObject({ title: 'Hello agent', wish: { runner: 'apples' } })
  const { messages } = await runner.does('chat_read_since', { session_id: 'work' })
  expect(messages).toMatchObject([{ content: 'Hello agent', runner: 'apples' }])
  await runner.hold()
  await runner.says('Hi! How can I help?')
  await runner.tells({ type: 'tool_call', tool_name: 'Search', tool_args: '{"query":"weather"}' })
  await runner.tells({ type: 'tool_result', tool_name: 'Search', result: 'Sunny, 70F', success: true })
  await runner.tells({ type: 'thinking', reasoning: 'Planning tool usage...' })
  await runner.tells({ type: 'error', error: 'It broke' })
  await runner.yields()
  const events = [
    { type: 'agent_message', message: 'Hi! How can I help?' },
    { type: 'tool_call', tool_name: 'Search', tool_args: '{"query":"weather"}' },
    { type: 'tool_result', tool_name: 'Search', result: 'Sunny, 70F', success: true },
    { type: 'agent_thinking', reasoning: 'Planning tool usage...' },
    { type: 'error', error: 'It broke' },
  ]
  for (const event of events) expect(await client.any()).toEqual(event)
  // The history of a session is kept: what is said later goes to the same agent.
  client.ws.close()
  const again = await connect(url, LOOP)
  again.say({ type: 'chat', message: 'And now?', session_id: 'work' })
  await again.next('user_message')
  const { entries } = await view.page('work', { limit: 20 })
  expect(entries.filter(({ body }) => body.kind === 'wish')).toHaveLength(1)
  again.say({ type: 'chat', message: 'Something else' })
  await again.next('user_message')
  const [own] = await view.conversations({ limit: 1 })
  expect(own).toMatchObject({ title: 'Something else', wish: { runner: 'apples' } })
})

test('[O33] a client that sees one conversation gets an agent for it, too', async () => {
  const { view, url } = await startHub()
  view.driver().offerRunner(RUNNER, 'run-1')
  const client = await connect(url, `${LOOP}&session=mine`)
  client.say({ type: 'chat', message: 'Hello agent' })
  await client.next('user_message')
  expect(await view.conversation('mine')).toMatchObject({ wish: { runner: 'tests' } })
})

test('[O33] who speaks where an agent is, or somebody spoke before, gets no runner', async () => {
  const { view, url } = await startHub()
  view.driver().offerRunner(RUNNER, 'run-1')
  await view.say('old', { text: 'Hello' })
  view.seat({ conversation: 'seated', title: 'Seated' })
  const client = await connect(url, LOOP)
  for (const session_id of ['old', 'seated']) {
    client.say({ type: 'chat', message: 'Hello agent', session_id })
    await client.next('user_message')
    expect(await view.conversation(session_id)).not.toHaveProperty('wish')
  }
})
