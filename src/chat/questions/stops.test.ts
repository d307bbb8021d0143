import { beforeEach, expect, test } from 'vitest'
import { forever, newLog, nextQuestion, openTestChat, reached, until } from '../../../test/support/chat.ts'
import type { AgentSession } from '../delivery/agent-session.ts'
import type { Delivery } from '../delivery/deliveries.ts'
import type { View } from '../view.ts'

const agent = { by: 'agent' }
const APPROVAL = { ...agent, text: 'Allow?', approval: { tool_name: 'Bash', input: '{}' } }
const alone = { ...forever, alone: true }
let view: View
let session: AgentSession

beforeEach(async () => {
  ;({ view } = openTestChat())
  session = view.agentSession({ conversation: 'work', title: 'Work' })
  await reached(session).tell({ kind: 'progress', by: 'agent', text: 'Working' })
})

function words(deliveries: Delivery[]) {
  return deliveries.map(({ interrupted }) => interrupted)
}

/** More often than a conversation names them. */
async function stopOften(): Promise<string[]> {
  const texts = Array.from({ length: 34 }, (_, n) => `Stop ${n}`)
  for (const text of texts) await view.interrupt('work', text)
  return texts
}

test('[Q92] of several stops all words are told, in order, also where there is room for a verdict alone', async () => {
  await view.interrupt('work', 'Use blue')
  await view.interrupt('work', 'And hurry')
  const stopped = await session.ask([APPROVAL], alone)
  expect(stopped.interrupted).toBe('Use blue\n\nAnd hurry')
  stopped.returned()
  await view.interrupt('work', 'Or leave it')
  const again = await session.ask([APPROVAL], alone)
  expect(again.interrupted).toBe('Use blue\n\nAnd hurry\n\nOr leave it')
  again.arrived()
  expect(await session.messages()).toMatchObject({ interrupted: undefined, earlier: [] })
})

test('[Q92] a call that waited through several stops is told them all', async () => {
  const call = session.ask([APPROVAL], alone)
  await nextQuestion(view)
  await Promise.all([view.interrupt('work', 'Use blue'), view.interrupt('work', 'And hurry')])
  expect((await call).interrupted).toBe('Use blue\n\nAnd hurry')
})

test('[Q92] every one of several calls that come at once after a stop is told it', async () => {
  await view.interrupt('work', 'Enough')
  const deliveries = await Promise.all([
    session.messages(),
    session.ask([{ ...agent, text: 'One?' }], forever),
    session.ask([{ ...agent, text: 'Two?' }], forever),
    session.ask([APPROVAL], alone),
  ])
  expect(words(deliveries.slice(1))).toEqual(['Enough', 'Enough', 'Enough'])
  expect((await view.conversation('work')).open).toEqual([])
})

test('[Q92] a call that a stop ended is told its words, also when the agent has proven to have them', async () => {
  const calls = ['One?', 'Two?'].map((text) => session.ask([{ ...agent, text }], forever))
  await until(async () => (await view.conversation('work')).open.length === 2)
  const [one, two] = (await view.conversation('work')).open
  await view.interrupt('work', 'Enough')
  const [told] = await Promise.all(calls)
  told?.arrived()
  ;(await session.messages()).arrived()
  await until(async () => (await view.conversation('work')).stop?.read === (await view.conversation('work')).stop?.last)
  for (const question of [one, two])
    expect((await session.resume([question?.id ?? ''], forever)).interrupted).toBe('Enough')
})

test('[Q92] a question that was withdrawn for another reason tells of no stop that was heard', async () => {
  const cancelled = new AbortController()
  const call = session.ask([APPROVAL], { signal: cancelled.signal, alone: true })
  const question = await nextQuestion(view)
  cancelled.abort(new Error('gone'))
  await expect(call).rejects.toThrow('gone')
  await until(async () => (await view.conversation('work')).open.length === 0)
  await view.interrupt('work', 'Enough')
  await reached(session).messages()
  await session.messages()
  expect((await session.resume([question], alone)).interrupted).toBeUndefined()
})

test('[Q94] of more stops than a conversation names all words are told, in order, and none comes as a message besides', async () => {
  const texts = await stopOften()
  const { interrupted, earlier } = await session.messages()
  expect([interrupted?.split('\n\n'), earlier]).toEqual([texts, []])
})

test('[Q94] so it is where there is room for a verdict alone: none is lost with the answer', async () => {
  const texts = await stopOften()
  const stopped = await session.ask([APPROVAL], alone)
  expect(stopped.interrupted?.split('\n\n')).toEqual(texts)
  stopped.arrived()
  expect(await session.messages()).toMatchObject({ interrupted: undefined, earlier: [] })
})

test('[Q94] so it is where messages are on their way, and of those that have arrived none is told again', async () => {
  await view.interrupt('work', 'Heard')
  ;(await session.messages()).arrived()
  const texts = await stopOften()
  await view.say('work', { text: 'Hello' })
  const lost = await session.messages()
  await view.interrupt('work', 'And hurry')
  const { interrupted } = await session.messages()
  expect([lost, { interrupted }].map(({ interrupted }) => interrupted?.split('\n\n'))).toEqual([
    texts,
    [...texts, 'And hurry'],
  ])
})

test('[Q93] a stop counts as heard when it has arrived: until then nothing is asked', async () => {
  await view.interrupt('work', 'Enough')
  const told = await session.messages()
  expect((await session.ask([APPROVAL], alone)).interrupted).toBe('Enough')
  told.arrived()
  const next = session.ask([APPROVAL], alone)
  await view.allow(await nextQuestion(view), undefined)
  expect(await next).toMatchObject({ interrupted: undefined, settlements: [{ outcome: 'approved' }] })
})

test('[Q93] a stop that came back is told again, whatever was read meanwhile', async () => {
  await view.interrupt('work', 'Use blue')
  const lost = await session.ask([APPROVAL], alone)
  await view.say('work', { text: 'Hello' })
  const here = reached(session)
  const meanwhile = [await here.messages(), await here.messages()]
  lost.returned()
  const then = await here.messages()
  expect(then.interrupted).toBe('Use blue')
  expect([...meanwhile, then].flatMap(({ earlier }) => earlier.map(({ text }) => text))).toEqual(['Hello'])
})

test('[Q93] a stop that came back is told with the next one', async () => {
  await view.interrupt('work', 'Use blue')
  const lost = await session.messages()
  await view.interrupt('work', 'And hurry')
  const { interrupted, arrived } = await session.messages()
  expect(interrupted).toBe('Use blue\n\nAnd hurry')
  arrived()
  lost.returned()
  expect((await session.messages()).interrupted).toBeUndefined()
})

test('[Q93] what was said before a stop that is on its way does not wait for it, and what was said after it does', async () => {
  const here = reached(session)
  await view.interrupt('work', 'Use blue')
  await here.ask([APPROVAL], alone)
  await view.say('work', { text: 'Before' })
  await view.interrupt('work', 'And hurry')
  await session.ask([APPROVAL], alone)
  await view.say('work', { text: 'After' })
  expect((await here.messages()).earlier).toMatchObject([{ text: 'Before' }])
})

test('[Q93] stops that nobody heard are known to the next hub', async () => {
  const log = newLog()
  const here = openTestChat({ log }).view
  await here
    .agentSession({ conversation: 'work', title: 'Work' })
    .tell({ kind: 'progress', by: 'agent', text: 'Working' })
  for (const text of ['Use blue', 'And hurry']) await here.interrupt('work', text)
  const next = openTestChat({ log }).view.agentSession({ conversation: 'work', title: 'Work' })
  expect((await next.ask([APPROVAL], alone)).interrupted).toBe('Use blue\n\nAnd hurry')
})
