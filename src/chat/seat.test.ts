import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryLog } from '../log/memory-log.ts'
import type { Entry } from '../protocol/entry.ts'
import { type Chat, createChat } from './chat.ts'
import type { Seat } from './seat.ts'

let chat: Chat
let seat: Seat

beforeEach(() => {
  chat = createChat({ log: openMemoryLog() })
  seat = chat.seat({ conversation: 'work', title: 'Work' })
})

afterEach(() => chat.close())

const forever = { signal: new AbortController().signal }

function say(text: string) {
  return chat.post('work', { author: 'user', by: 'person', text })
}

/** Answers questions as they come, by their text. */
function answering(reply: (text: string) => string | undefined) {
  return chat.follow(
    { conversation: 'work', after: '0'.repeat(16) },
    {
      async entries(entries: Entry[]) {
        for (const { id, body } of entries) {
          const answer = body.kind === 'question' ? reply(body.text) : undefined
          if (answer !== undefined) await chat.answer(id, answer, 'person')
        }
      },
    },
  )
}

async function nextQuestion(): Promise<string> {
  for (;;) {
    const open = (await chat.conversation('work')).open.at(-1)
    if (open) return open.id
    await new Promise(setImmediate)
  }
}

test('[Q10] many calls at once each get their own answer', async () => {
  answering((text) => `re: ${text}`)
  const outcomes = await Promise.all(
    Array.from({ length: 16 }, (_, n) => seat.ask([{ by: 'agent', text: `question ${n}` }], forever)),
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
  const first = await seat.ask([{ by: 'agent', text: 'Anything new?' }], forever)
  expect(first.earlier.map(({ text }) => text)).toEqual(typed)
  const second = await seat.ask([{ by: 'agent', text: 'And now?' }], forever)
  expect(second.earlier).toEqual([])
})

test('[Q6] a reply that came after its call had ended is handed over at the next call, marked with its question', async () => {
  const stop = new AbortController()
  const call = seat.ask([{ by: 'agent', text: 'Deploy now?' }], { signal: stop.signal })
  const question = await nextQuestion()
  stop.abort(new Error('timed out'))
  await expect(call).rejects.toThrow('timed out')
  await chat.answer(question, 'Yes, deploy', 'person')
  answering((text) => (text === 'Next?' ? 'Go on' : undefined))
  const { settlements, earlier } = await seat.ask([{ by: 'agent', text: 'Next?' }], forever)
  expect(settlements).toMatchObject([{ reply: 'Go on' }])
  expect(earlier).toMatchObject([{ text: 'Yes, deploy', in_reply_to: 'Deploy now?' }])
})

test('[Q7] a call can wait again for a question that was asked before, answered meanwhile or not', async () => {
  const stop = new AbortController()
  const call = seat.ask([{ by: 'agent', text: 'Deploy now?' }], { signal: stop.signal })
  const question = await nextQuestion()
  stop.abort(new Error('timed out'))
  await expect(call).rejects.toThrow()
  const again = seat.resume([question], forever)
  await chat.answer(question, 'Yes', 'person')
  expect(await again).toMatchObject({ settlements: [{ question, reply: 'Yes' }], earlier: [] })
  expect(await seat.resume([question], forever)).toMatchObject({ settlements: [{ question, reply: 'Yes' }] })
  await expect(seat.resume(['0000000000000009'], forever)).rejects.toMatchObject({ code: 'unknown_question' })
})

test('[Q9] a message is delivered when it is in a result and read only when the next call proves it', async () => {
  answering(() => 'ok')
  const { id } = await say('Use the blue one')
  await seat.ask([{ by: 'agent', text: 'Colour?' }], forever)
  await settled(({ messages }) => messages.delivered === id)
  expect((await chat.conversation('work')).messages).toEqual({ last: id, delivered: id, read: '0'.repeat(16) })
  expect((await chat.conversation('work')).replies).toMatchObject([{ asked: 'Colour?', delivered: true }])
  await seat.ask([{ by: 'agent', text: 'Next?' }], forever)
  expect((await chat.conversation('work')).messages.read).toBe(id)
  await settled(({ replies }) => replies.every(({ asked }) => asked === 'Next?'))
})

test('[Q9] what was never proven to have arrived is handed over again to the next agent', async () => {
  answering(() => 'ok')
  await say('Use the blue one')
  await seat.ask([{ by: 'agent', text: 'Colour?' }], forever)
  seat.close()
  const next = chat.seat({ conversation: 'work', title: 'Work' })
  const { earlier } = await next.ask([{ by: 'agent', text: 'I was restarted' }], forever)
  expect(earlier).toMatchObject([{ text: 'Use the blue one' }, { text: 'ok', in_reply_to: 'Colour?' }])
})

test('[Q11] everyone can see whether the agent works, waits or is gone', async () => {
  const states: string[] = []
  chat.follow({ after: '0'.repeat(16) }, { entries() {}, agent: (_, state) => states.push(state) })
  expect(chat.agentState('work')).toBe('working')
  const call = seat.ask([{ by: 'agent', text: 'Deploy now?' }], forever)
  const question = await nextQuestion()
  expect(chat.agentState('work')).toBe('waiting')
  await chat.answer(question, 'Yes', 'person')
  await call
  expect(chat.agentState('work')).toBe('working')
  seat.close()
  expect(chat.agentState('work')).toBe('gone')
  expect(states).toEqual(['waiting', 'working', 'gone'])
})

test('[Q16] a new conversation gets the title its agent brings, an old one keeps its own', async () => {
  answering(() => 'ok')
  await seat.ask([{ by: 'agent', text: 'Hello' }], forever)
  expect((await chat.conversation('work')).title).toBe('Work')
  await chat.rename('work', 'Renamed')
  await chat.seat({ conversation: 'work', title: 'Other' }).ask([{ by: 'agent', text: 'Hello' }], forever)
  expect((await chat.conversation('work')).title).toBe('Renamed')
})

async function settled(reached: (state: Awaited<ReturnType<Chat['conversation']>>) => boolean) {
  while (!reached(await chat.conversation('work'))) await new Promise(setImmediate)
}

const agent = { by: 'agent' }

async function until(reached: () => Promise<boolean>) {
  while (!(await reached())) await new Promise(setImmediate)
}

test('[Q18] the same text asked again by the same agent while it is open waits for the same question', async () => {
  const calls = [seat.ask([{ ...agent, text: 'Deploy?' }], forever)]
  await nextQuestion()
  calls.push(seat.ask([{ ...agent, text: 'Deploy?' }], forever))
  const other = seat.ask([{ by: 'somebody else', text: 'Deploy?' }], forever)
  await until(async () => (await chat.conversation('work')).open.length === 2)
  const [first, second] = (await chat.conversation('work')).open
  await chat.answer(first?.id ?? '', 'Yes', 'person')
  await chat.answer(second?.id ?? '', 'No', 'person')
  expect((await Promise.all(calls)).map(({ settlements }) => settlements[0]?.reply)).toEqual(['Yes', 'Yes'])
  expect((await other).settlements[0]?.reply).toBe('No')
})

test('[Q18] a reply that was never proven delivered is what the same text brings at once', async () => {
  const stop = new AbortController()
  const call = seat.ask([{ ...agent, text: 'Deploy?' }], { signal: stop.signal })
  const question = await nextQuestion()
  stop.abort(new Error('gone'))
  await expect(call).rejects.toThrow('gone')
  seat.close()
  await chat.answer(question, 'Yes', 'person')
  const next = chat.seat({ conversation: 'work', title: 'Work' })
  expect(await next.ask([{ ...agent, text: 'Deploy?' }], forever)).toMatchObject({
    settlements: [{ question, reply: 'Yes' }],
    earlier: [],
  })
})

test('[Q18] the same text after its reply was proven delivered is a new question', async () => {
  let count = 0
  answering(() => `reply ${++count}`)
  const replies = []
  for (let n = 0; n < 3; n++)
    replies.push((await seat.ask([{ ...agent, text: 'What next?' }], forever)).settlements[0]?.reply)
  expect(replies).toEqual(['reply 1', 'reply 2', 'reply 3'])
})

test('[Q19] a person can stop an agent that waits, and its call brings their words', async () => {
  const call = seat.ask([{ ...agent, text: 'Deploy?' }], forever)
  await nextQuestion()
  await chat.interrupt('work', 'Do the tests first', 'person')
  expect(await call).toMatchObject({ interrupted: 'Do the tests first', earlier: [] })
  expect((await chat.conversation('work')).open).toEqual([])
  answering((text) => (text === 'Deploy?' ? undefined : 'ok'))
  expect(await seat.ask([{ ...agent, text: 'Done. Deploy?' }], forever)).toMatchObject({
    settlements: [{ reply: 'ok' }],
    interrupted: undefined,
  })
})

test('[Q19] an agent that does not wait is stopped at its next call, and its question is not asked', async () => {
  answering(() => 'ok')
  await seat.ask([{ ...agent, text: 'Hello' }], forever)
  await chat.interrupt('work', undefined, 'person')
  await say('Something else')
  const outcome = await seat.ask([{ ...agent, text: 'Next?' }], forever)
  expect(outcome).toMatchObject({ interrupted: 'Stop', settlements: [], earlier: [{ text: 'Something else' }] })
  expect((await chat.page('work', { limit: 50 })).entries.filter(({ body }) => body.kind === 'question')).toHaveLength(
    1,
  )
  expect((await seat.ask([{ ...agent, text: 'Next?' }], forever)).settlements).toMatchObject([{ reply: 'ok' }])
})

test('[Q19] of several questions, the answer given before the stop comes with the next call', async () => {
  const call = seat.ask(
    [
      { ...agent, text: 'One?' },
      { ...agent, text: 'Two?' },
    ],
    forever,
  )
  await until(async () => (await chat.conversation('work')).open.length === 2)
  const [one] = (await chat.conversation('work')).open
  await chat.answer(one?.id ?? '', 'Eins', 'person')
  await chat.interrupt('work', 'Wait', 'person')
  expect((await call).interrupted).toBe('Wait')
  expect((await seat.messages()).earlier).toMatchObject([{ text: 'Eins', in_reply_to: 'One?' }])
})

test('[Q20] an agent that asked and went on is shown as backgrounded until it has its answer', async () => {
  const states: string[] = []
  chat.follow({ after: '0'.repeat(16) }, { entries() {}, agent: (_, state) => states.push(state) })
  const outcome = await seat.ask([{ ...agent, text: 'Deploy?' }], { ...forever, waitMs: 1 })
  expect(outcome.open).toHaveLength(1)
  expect(chat.agentState('work')).toBe('backgrounded')
  const again = seat.resume(outcome.open, forever)
  await until(async () => chat.agentState('work') === 'waiting')
  await chat.answer(outcome.open[0] ?? '', 'Yes', 'person')
  await again
  expect(states).toEqual(['waiting', 'backgrounded', 'waiting', 'working'])
})

test('[Q18] the same text asked twice at once is one question', async () => {
  const calls = [1, 2, 3].map(() => seat.ask([{ ...agent, text: 'Deploy?' }], forever))
  const question = await nextQuestion()
  await until(async () => (await chat.conversation('work')).open.length === 1)
  await chat.answer(question, 'Yes', 'person')
  expect((await Promise.all(calls)).map(({ settlements }) => settlements[0]?.reply)).toEqual(['Yes', 'Yes', 'Yes'])
  expect((await chat.page('work', { limit: 50 })).entries.filter(({ body }) => body.kind === 'question')).toHaveLength(
    1,
  )
})

test('[Q19] a stop that comes in the same moment as a question withdraws it', async () => {
  await say('Hello')
  const calls = [1, 2].map((n) => seat.ask([{ ...agent, text: `Question ${n}` }], forever))
  await chat.interrupt('work', 'Stop it', 'person')
  expect((await Promise.all(calls)).map(({ interrupted }) => interrupted)).toContain('Stop it')
  expect((await chat.conversation('work')).open).toEqual([])
})

test('[Q18] the same text asked several times at once, while the room is busy, is one question', async () => {
  void say('Something that takes a moment')
  const calls = Array.from({ length: 3 }, () => seat.ask([{ ...agent, text: 'Deploy?' }], forever))
  const question = await nextQuestion()
  await chat.answer(question, 'Yes', 'person')
  expect((await Promise.all(calls)).map(({ settlements }) => settlements[0]?.reply)).toEqual(['Yes', 'Yes', 'Yes'])
})

test('[Q9] a call that is refused proves what arrived before it, too', async () => {
  const small = createChat({ log: openMemoryLog(), textLimitBytes: 100 })
  const here = small.seat({ conversation: 'work', title: 'Work' })
  const call = here.ask([{ ...agent, text: 'Colour?' }], forever)
  await until(async () => (await small.conversation('work')).open.length === 1)
  await small.answer((await small.conversation('work')).open[0]?.id ?? '', 'Blue', 'person')
  await call
  const refused = here.ask([{ ...agent, text: 'x'.repeat(101) }], forever)
  await expect(refused).rejects.toMatchObject({ code: 'text_too_large' })
  await here.messages()
  expect((await small.conversation('work')).replies).toEqual([])
  await small.close()
})

test('[S19] of several questions of one call, one that is refused keeps the others from being asked', async () => {
  const small = createChat({ log: openMemoryLog(), textLimitBytes: 100 })
  const here = small.seat({ conversation: 'work', title: 'Work' })
  const both = [
    { ...agent, text: 'Short?' },
    { ...agent, text: 'x'.repeat(101) },
  ]
  await expect(here.ask(both, forever)).rejects.toMatchObject({ code: 'text_too_large' })
  expect((await small.conversation('work')).open).toEqual([])
  await small.close()
})
