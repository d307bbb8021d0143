import { expect, test } from 'vitest'
import { UNANSWERED } from '../../src/protocol/entries/unanswered.ts'
import { until } from '../support/chat.ts'
import { connectRunner, RUNNER } from '../support/driven/runner.ts'
import { startHub } from '../support/hub.ts'
import { connect } from '../support/socket.ts'

const LOOP = '/ws?dialect=loop'

test('[O33] a chat in no conversation, or in a new one, goes to the default runner, and its events come back', async () => {
  const { view, url } = await startHub()
  const runner = await connectRunner(url)
  await runner.offer()
  await runner.offer({ name: 'apples', folder: '/home/ada/apples', default: true })
  await runner.offer({ name: 'aaa', problem: 'Log in first' })
  const client = await connect(url, LOOP)
  client.say({ type: 'chat', message: 'Hello agent', session_id: 'work' })
  expect(await client.next('user_message')).toEqual({ type: 'user_message', message: 'Hello agent' })
  expect(await view.conversation('work')).toMatchObject({ title: 'Hello agent', wish: { runner: 'apples' } })
  const { messages } = await runner.does('chat_read_since', { session_id: 'work' })
  expect(messages).toMatchObject([{ content: 'Hello agent', runner: 'apples' }])
  await runner.acquire()
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

test('[O33] who speaks where an agent is gets no runner', async () => {
  const { view, url } = await startHub()
  view.driver().offerRunner(RUNNER, 'run-1')
  view.agentSession({ conversation: 'seated', title: 'Seated' })
  const client = await connect(url, LOOP)
  client.say({ type: 'chat', message: 'Hello agent', session_id: 'seated' })
  await client.next('user_message')
  expect(await view.conversation('seated')).not.toHaveProperty('wish')
})

test('[W40] where nobody answers, an error event says so behind the message, to who spoke and to nobody else', async () => {
  const { view, url } = await startHub()
  const [client, other] = [await connect(url, LOOP), await connect(url, LOOP)]
  const said = { type: 'user_message', message: 'Hello agent' }
  client.say({ type: 'chat', message: 'Hello agent', session_id: 'work' })
  expect([await client.any(), await client.any()]).toEqual([said, { type: 'error', error: UNANSWERED.no_runner }])
  view.driver().offerRunner(RUNNER, 'run-1')
  await until(async () => (await view.conversation('work')).wish !== undefined)
  view.driver().offerRunner({ ...RUNNER, name: 'apples' }, 'run-2')
  client.say({ type: 'chat', message: 'Hello agent', session_id: 'new' })
  expect([await client.any(), await client.any()]).toEqual([said, { type: 'error', error: UNANSWERED.which_runner }])
  client.say({ type: 'chat', message: 'Hello agent', session_id: 'work' })
  expect(await client.any()).toEqual(said)
  // Nothing came between for the others.
  expect([await other.any(), await other.any(), await other.any()]).toEqual([said, said, said])
})
