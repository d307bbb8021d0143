import { beforeEach, expect, test } from 'vitest'
import {
  answering as answer,
  forever,
  nextQuestion as next,
  openSettledChat,
  openTestChat,
  reached,
  until,
} from '../../../test/support/chat.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import type { AgentStatus } from '../driving/presence.ts'
import type { View } from '../view.ts'
import type { AgentSession } from './agent-session.ts'

let view: View
let session: AgentSession

beforeEach(() => {
  ;({ view } = openTestChat())
  session = reached(view.agentSession({ conversation: 'work', title: 'Work' }))
})

const agent = { by: 'agent' }

function say(text: string) {
  return view.say('work', { text })
}

function answering(reply: (text: string) => string | undefined) {
  return answer(view, reply)
}

function nextQuestion(): Promise<string> {
  return next(view)
}

async function settled(done: (state: ConversationState) => boolean) {
  await until(async () => done(await view.conversation('work')))
}

function watchAgent(): string[] {
  const states: string[] = []
  const listener = { entries() {}, agent: (_: string, { state }: AgentStatus) => states.push(state), failed() {} }
  view.follow({ after: '0'.repeat(16) }, listener)
  return states
}

test('[Q10] many calls at once each get their own answer', async () => {
  answering((text) => `re: ${text}`)
  const outcomes = await Promise.all(
    Array.from({ length: 16 }, (_, n) => session.ask([{ by: 'agent', text: `question ${n}` }], forever)),
  )
  expect(outcomes.map(({ settlements }) => settlements[0]?.reply)).toEqual(
    Array.from({ length: 16 }, (_, n) => `re: question ${n}`),
  )
  expect(outcomes.flatMap(({ earlier }) => earlier)).toEqual([])
})

test('[Q8] all messages typed while the agent was away come with its next reply, in order and once', async () => {
  const typed = Array.from({ length: 400 }, (_, n) => `message ${n}`)
  await Promise.all(typed.map(say))
  answering(() => 'ok')
  const first = await session.ask([{ by: 'agent', text: 'Anything new?' }], forever)
  expect(first.earlier.map(({ text }) => text)).toEqual(typed)
  const second = await session.ask([{ by: 'agent', text: 'And now?' }], forever)
  expect(second.earlier).toEqual([])
})

test('[Q6] a reply that came after its call had ended is handed over at the next call, marked with its question', async () => {
  const stop = new AbortController()
  const call = session.ask([{ by: 'agent', text: 'Deploy now?' }], { signal: stop.signal })
  const question = await nextQuestion()
  stop.abort(new Error('timed out'))
  await expect(call).rejects.toThrow('timed out')
  await view.answer(question, 'Yes, deploy')
  answering((text) => (text === 'Next?' ? 'Go on' : undefined))
  const { settlements, earlier } = await session.ask([{ by: 'agent', text: 'Next?' }], forever)
  expect(settlements).toMatchObject([{ reply: 'Go on' }])
  expect(earlier).toMatchObject([{ text: 'Yes, deploy', in_reply_to: 'Deploy now?' }])
})

test('[Q7] a call can wait again for a question that was asked before, answered meanwhile or not', async () => {
  const stop = new AbortController()
  const call = session.ask([{ by: 'agent', text: 'Deploy now?' }], { signal: stop.signal })
  const question = await nextQuestion()
  stop.abort(new Error('timed out'))
  await expect(call).rejects.toThrow()
  const again = session.resume([question], forever)
  await view.answer(question, 'Yes')
  expect(await again).toMatchObject({ settlements: [{ question, reply: 'Yes' }], earlier: [] })
  expect(await session.resume([question], forever)).toMatchObject({ settlements: [{ question, reply: 'Yes' }] })
  await expect(session.resume(['0000000000000009'], forever)).rejects.toMatchObject({ code: 'unknown_question' })
})

test('[S90] a question is there for nobody but the agent that asked it, also when it has its answer', async () => {
  const inFolder = (folder: string) =>
    view.agentSession({ conversation: 'work', title: 'Work', folder, isProven: true })
  const call = inFolder('/shop').ask([{ by: 'agent', text: 'Deploy now?' }], forever)
  const question = await nextQuestion()
  await view.answer(question, 'Yes')
  await call
  await expect(inFolder('/site').resume([question], forever)).rejects.toMatchObject({ code: 'unknown_question' })
})

test('[Q9] a message is delivered when it is in a result and read only when the next call proves it', async () => {
  answering(() => 'ok')
  const { id } = await say('Use the blue one')
  await session.ask([{ by: 'agent', text: 'Colour?' }], forever)
  await settled(({ messages }) => messages.delivered === id)
  expect((await view.conversation('work')).messages).toEqual({ last: id, delivered: id, read: '0'.repeat(16) })
  expect((await view.conversation('work')).replies.recent).toMatchObject([{ delivered: true }])
  await session.ask([{ by: 'agent', text: 'Next?' }], forever)
  expect((await view.conversation('work')).messages.read).toBe(id)
  await settled(({ replies }) => replies.recent.length === 1)
})

test('[Q9] what was never proven to have arrived is handed over again to the next agent', async () => {
  answering(() => 'ok')
  await say('Use the blue one')
  await session.ask([{ by: 'agent', text: 'Colour?' }], forever)
  session.close()
  const next = reached(view.agentSession({ conversation: 'work', title: 'Work' }))
  const { earlier } = await next.ask([{ by: 'agent', text: 'I was restarted' }], forever)
  expect(earlier).toMatchObject([{ text: 'Use the blue one' }, { text: 'ok', in_reply_to: 'Colour?' }])
})

test('[Q11] everyone can see whether the agent works, waits, is idle or is gone', async () => {
  const states = watchAgent()
  expect(view.agentState('work')).toBe('idle')
  const call = session.ask([{ by: 'agent', text: 'Deploy now?' }], forever)
  const question = await nextQuestion()
  expect(view.agentState('work')).toBe('waiting')
  await view.answer(question, 'Yes')
  await call
  expect(view.agentState('work')).toBe('working')
  session.close()
  expect(view.agentState('work')).toBe('gone')
  expect(states).toEqual(['working', 'waiting', 'working', 'gone'])
})

test('[Q16] a new conversation gets the title its agent brings, an old one keeps its own', async () => {
  ;({ view } = openSettledChat())
  session = reached(view.agentSession({ conversation: 'work', title: 'Work' }))
  answering(() => 'ok')
  await session.ask([{ by: 'agent', text: 'Hello' }], forever)
  expect((await view.conversation('work')).title).toBe('Work')
  await view.rename('work', 'Renamed')
  await view.agentSession({ conversation: 'work', title: 'Other' }).ask([{ by: 'agent', text: 'Hello' }], forever)
  expect((await view.conversation('work')).title).toBe('Renamed')
})

test('[Q18] the same text asked again by the same agent while it is open waits for the same question', async () => {
  const calls = [session.ask([{ ...agent, text: 'Deploy?' }], forever)]
  await nextQuestion()
  calls.push(session.ask([{ ...agent, text: 'Deploy?' }], forever))
  const other = session.ask([{ by: 'somebody else', text: 'Deploy?' }], forever)
  await until(async () => (await view.conversation('work')).open.length === 2)
  const [first, second] = (await view.conversation('work')).open
  await view.answer(first?.id ?? '', 'Yes')
  await view.answer(second?.id ?? '', 'No')
  expect((await Promise.all(calls)).map(({ settlements }) => settlements[0]?.reply)).toEqual(['Yes', 'Yes'])
  expect((await other).settlements[0]?.reply).toBe('No')
})

test('[Q18] a reply that never reached its agent is what the same text brings at once', async () => {
  const stop = new AbortController()
  const call = session.ask([{ ...agent, text: 'Deploy?' }], { signal: stop.signal })
  const question = await nextQuestion()
  stop.abort(new Error('gone'))
  await expect(call).rejects.toThrow('gone')
  session.close()
  await view.answer(question, 'Yes')
  const next = reached(view.agentSession({ conversation: 'work', title: 'Work' }))
  expect(await next.ask([{ ...agent, text: 'Deploy?' }], forever)).toMatchObject({
    settlements: [{ question, reply: 'Yes' }],
    earlier: [],
  })
})

test('[Q18] the same text after its reply was delivered is a new question', async () => {
  let count = 0
  answering(() => `reply ${++count}`)
  const replies = []
  for (let n = 0; n < 3; n++)
    replies.push((await session.ask([{ ...agent, text: 'What next?' }], forever)).settlements[0]?.reply)
  expect(replies).toEqual(['reply 1', 'reply 2', 'reply 3'])
})

test('[Q19] a person can stop an agent that waits, and its call brings their words', async () => {
  const call = session.ask([{ ...agent, text: 'Deploy?' }], forever)
  await nextQuestion()
  await view.interrupt('work', 'Do the tests first')
  expect(await call).toMatchObject({ interrupted: 'Do the tests first', earlier: [] })
  expect((await view.conversation('work')).open).toEqual([])
  answering((text) => (text === 'Deploy?' ? undefined : 'ok'))
  expect(await session.ask([{ ...agent, text: 'Done. Deploy?' }], forever)).toMatchObject({
    settlements: [{ reply: 'ok' }],
    interrupted: undefined,
  })
})

test('[Q19] an agent that does not wait is stopped at its next call, and its question is not asked', async () => {
  answering(() => 'ok')
  await session.ask([{ ...agent, text: 'Hello' }], forever)
  await view.interrupt('work', undefined)
  await say('Something else')
  const outcome = await session.ask([{ ...agent, text: 'Next?' }], forever)
  expect(outcome).toMatchObject({ interrupted: 'Stop', settlements: [], earlier: [{ text: 'Something else' }] })
  expect((await view.page('work', { limit: 50 })).entries.filter(({ body }) => body.kind === 'question')).toHaveLength(
    1,
  )
  expect((await session.ask([{ ...agent, text: 'Next?' }], forever)).settlements).toMatchObject([{ reply: 'ok' }])
})

test('[Q19] of several questions, the answer given before the stop comes with the next call', async () => {
  const call = session.ask(
    [
      { ...agent, text: 'One?' },
      { ...agent, text: 'Two?' },
    ],
    forever,
  )
  await until(async () => (await view.conversation('work')).open.length === 2)
  const [one] = (await view.conversation('work')).open
  await view.answer(one?.id ?? '', 'Eins')
  await view.interrupt('work', 'Wait')
  expect((await call).interrupted).toBe('Wait')
  expect((await session.messages()).earlier).toMatchObject([{ text: 'Eins', in_reply_to: 'One?' }])
})

test('[Q20] an agent that asked and went on is shown as backgrounded until it has its answer', async () => {
  const states = watchAgent()
  const outcome = await session.ask([{ ...agent, text: 'Deploy?' }], { ...forever, waitMs: 1 })
  expect(outcome.open).toHaveLength(1)
  expect(view.agentState('work')).toBe('backgrounded')
  const again = session.resume(outcome.open, forever)
  await until(async () => view.agentState('work') === 'waiting')
  await view.answer(outcome.open[0] ?? '', 'Yes')
  await again
  expect(states).toEqual(['working', 'waiting', 'backgrounded', 'waiting', 'working'])
})

test('[Q18] the same text asked twice at once is one question', async () => {
  const calls = [1, 2, 3].map(() => session.ask([{ ...agent, text: 'Deploy?' }], forever))
  const question = await nextQuestion()
  await until(async () => (await view.conversation('work')).open.length === 1)
  await view.answer(question, 'Yes')
  expect((await Promise.all(calls)).map(({ settlements }) => settlements[0]?.reply)).toEqual(['Yes', 'Yes', 'Yes'])
  expect((await view.page('work', { limit: 50 })).entries.filter(({ body }) => body.kind === 'question')).toHaveLength(
    1,
  )
})

test('[Q19] a stop that comes in the same moment as a question withdraws it', async () => {
  await say('Hello')
  const calls = [1, 2].map((n) => session.ask([{ ...agent, text: `Question ${n}` }], forever))
  await view.interrupt('work', 'Stop it')
  expect((await Promise.all(calls)).map(({ interrupted }) => interrupted)).toEqual(['Stop it', 'Stop it'])
  expect((await view.conversation('work')).open).toEqual([])
})

test('[Q18] the same text asked several times at once, while the room is busy, is one question', async () => {
  void say('Something that takes a moment')
  const calls = Array.from({ length: 3 }, () => session.ask([{ ...agent, text: 'Deploy?' }], forever))
  const question = await nextQuestion()
  await view.answer(question, 'Yes')
  expect((await Promise.all(calls)).map(({ settlements }) => settlements[0]?.reply)).toEqual(['Yes', 'Yes', 'Yes'])
})

test('[Q9] a call that is refused proves what arrived before it, too', async () => {
  const { view: small } = openTestChat({ textLimitBytes: 100 })
  const here = reached(small.agentSession({ conversation: 'work', title: 'Work' }))
  const call = here.ask([{ ...agent, text: 'Colour?' }], forever)
  await until(async () => (await small.conversation('work')).open.length === 1)
  await small.answer((await small.conversation('work')).open[0]?.id ?? '', 'Blue')
  await call
  const refused = here.ask([{ ...agent, text: 'x'.repeat(101) }], forever)
  await expect(refused).rejects.toMatchObject({ code: 'text_too_large' })
  await here.messages()
  expect((await small.conversation('work')).replies).toEqual({ recent: [] })
})

test('[S19] of several questions of one call, one that is refused keeps the others from being asked', async () => {
  const { view: small } = openTestChat({ textLimitBytes: 100 })
  const here = reached(small.agentSession({ conversation: 'work', title: 'Work' }))
  const both = [
    { ...agent, text: 'Short?' },
    { ...agent, text: 'x'.repeat(101) },
  ]
  await expect(here.ask(both, forever)).rejects.toMatchObject({ code: 'text_too_large' })
  expect((await small.conversation('work')).open).toEqual([])
})
