import { expect, test } from 'vitest'
import { ask, forever, newLog, openTestChat, person } from '../../test/support/chat.ts'
import { fakeClock } from '../../test/support/fake-clock.ts'
import type { Log } from '../log/views.ts'

const { signal } = forever
const question = { by: 'agent', text: 'Deploy now?' }

test('[Q1] a question is open for everyone from the moment it is asked until it is settled', async () => {
  const { view } = openTestChat()
  const id = await ask(view, { ...question, quick_replies: ['Yes', 'No'] })
  expect((await view.conversation('work')).open).toMatchObject([
    { id, text: 'Deploy now?', quick_replies: ['Yes', 'No'] },
  ])
  expect(await view.current()).toEqual(['work'])
  await view.answer(id, 'Yes')
  expect((await view.conversation('work')).open).toEqual([])
  expect(await view.current()).toEqual([])
})

test('[Q2] the first answer wins, and a second one is refused and changes nothing', async () => {
  const { view } = openTestChat()
  const id = await ask(view, question)
  const answers = await Promise.allSettled(['one', 'two', 'three'].map((reply) => view.answer(id, reply)))
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  const before = await view.last()
  await expect(view.answer(id, 'late')).rejects.toMatchObject({ code: 'question_settled' })
  expect(await view.last()).toBe(before)
  expect((await view.agentService().outcome(id, signal)).body.reply).toBe('one')
})

test('[Q2] the first answer wins between two hubs on one log', async () => {
  const log = newLog()
  const { view: here } = openTestChat({ log })
  const { view: there } = openTestChat({ log })
  const id = await ask(here, question)
  const answers = await Promise.allSettled([here.answer(id, 'here'), there.answer(id, 'there')])
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await here.page('work', { limit: 10 })).entries.map(({ body }) => body.kind)).toEqual([
    'title',
    'question',
    'settlement',
  ])
})

test('[Q3] a command repeated with its key happens once and is answered as before', async () => {
  const { view } = openTestChat()
  const id = await ask(view, question)
  const first = await view.answer(id, 'Yes', 'key-1')
  expect(await view.answer(id, 'Yes', 'key-1')).toEqual(first)
  const said = await view.say('work', { text: 'Hello' }, 'key-2')
  expect(await view.say('work', { text: 'Hello' }, 'key-2')).toEqual(said)
  expect((await view.page('work', { limit: 10 })).entries).toHaveLength(4)
})

test('[Q4] an answer to a question that does not exist is refused', async () => {
  const { view } = openTestChat()
  const message = await view.say('work', { text: 'Hello' })
  for (const id of [message.id, '0000000000000001', '9999999999999999'])
    await expect(view.answer(id, 'Yes')).rejects.toMatchObject({ code: 'unknown_question' })
})

test('[Q5] a question expires at its deadline, and an answer before it keeps it from expiring', async () => {
  const clock = fakeClock()
  const { view } = openTestChat({ clock })
  const late = await ask(view, { ...question, expires_at: 1000 })
  const soon = await ask(view, { ...question, text: 'And now?', expires_at: 1000 })
  await view.answer(soon, 'In time')
  const outcome = view.agentService().outcome(late, signal)
  clock.advance(1000)
  expect((await outcome).body).toMatchObject({ outcome: 'expired' })
  expect((await view.agentService().outcome(soon, signal)).body).toMatchObject({
    outcome: 'answered',
    reply: 'In time',
  })
  await expect(view.answer(late, 'Too late')).rejects.toMatchObject({ code: 'question_settled' })
})

test('[Q5] deadlines are set again from the log after a restart', async () => {
  const log = newLog()
  const id = await ask(openTestChat({ log }).view, { ...question, expires_at: 1000 })
  const clock = fakeClock()
  const { chat, view } = openTestChat({ log, clock })
  await chat.ready
  const outcome = view.agentService().outcome(id, signal)
  clock.advance(5000)
  expect((await outcome).body.outcome).toBe('expired')
})

test('[Q5] a deadline that cannot be kept, as on a full disk, is kept as soon as it can be', async () => {
  const log = newLog()
  const clock = fakeClock()
  let isFull = false
  const append: Log['append'] = async (...args) => {
    if (isFull) throw new Error('The disk is full')
    return log.append(...args)
  }
  const { view, problems } = openTestChat({ journal: { ...log, append }, views: log, clock })
  const id = await ask(view, { ...question, expires_at: 1000 })
  isFull = true
  clock.advance(1000)
  while (problems.length === 0) await new Promise(setImmediate)
  expect((await view.conversation('work')).open).toHaveLength(1)
  isFull = false
  // Earlier waiters have been told that it is still open.
  const outcome = view.agentService().outcome(id, signal)
  clock.advance(60_000)
  expect((await outcome).body.outcome).toBe('expired')
})

test('[Q6] ending a wait leaves the question open', async () => {
  const { view } = openTestChat()
  const id = await ask(view, question)
  const stop = new AbortController()
  const waiting = view.agentService().outcome(id, stop.signal)
  stop.abort(new Error('client went away'))
  await expect(waiting).rejects.toThrow('client went away')
  expect((await view.conversation('work')).open).toHaveLength(1)
  await view.answer(id, 'Yes')
  expect((await view.agentService().outcome(id, signal)).body.reply).toBe('Yes')
})

test('[Q13] commands that come together keep their order', async () => {
  const { view } = openTestChat()
  const id = await ask(view, question)
  await Promise.all([view.say('work', { text: 'a' }), view.answer(id, 'b'), view.say('work', { text: 'c' })])
  const { entries } = await view.page('work', { limit: 10 })
  expect(entries.slice(2).map(({ body }) => ('reply' in body ? body.reply : 'text' in body && body.text))).toEqual([
    'a',
    'b',
    'c',
  ])
})

test('[Q15] a conversation that nobody spoke in does not exist', async () => {
  const { view } = openTestChat()
  view.agentSession({ conversation: 'work', title: 'Work' })
  expect(await view.conversations({ limit: 10 })).toEqual([])
  await expect(view.rename('work', 'Work')).rejects.toMatchObject({ code: 'unknown_conversation' })
  expect(await view.conversations({ limit: 10 })).toEqual([])
})

test('[S10] whose words they are comes from the principal, whatever comes along with them', async () => {
  const { chat, view } = openTestChat()
  const words = { text: 'Hello', author: 'assistant', by: 'somebody else', kind: 'title' }
  expect((await person(chat, 'ada').say('work', words)).body).toMatchObject({ author: 'user', by: 'ada' })
  const told = await view.tell('work', { ...words, author: 'user' } as typeof words)
  expect(told.body).toMatchObject({ kind: 'message', author: 'assistant', by: 'somebody else' })
})
