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
