import { afterEach, expect, test } from 'vitest'
import { fakeClock } from '../../test/support/fake-clock.ts'
import type { Log } from '../log/log.ts'
import { openMemoryLog } from '../log/memory-log.ts'
import { type Chat, createChat } from './chat.ts'
import type { Clock } from './clock.ts'

const chats: Chat[] = []

afterEach(async () => {
  for (const chat of chats.splice(0)) await chat.close()
})

function open({ log = openMemoryLog(), clock }: { log?: Log; clock?: Clock } = {}) {
  const chat = createChat({ log, clock })
  chats.push(chat)
  return { chat, log }
}

const forever = new AbortController().signal
const question = { by: 'agent', text: 'Deploy now?' }

test('[Q1] a question is open for everyone from the moment it is asked until it is settled', async () => {
  const { chat } = open()
  const asked = await chat.ask('work', { ...question, quick_replies: ['Yes', 'No'] })
  expect((await chat.conversation('work')).open).toMatchObject([
    { id: asked.id, text: 'Deploy now?', quick_replies: ['Yes', 'No'] },
  ])
  expect(await chat.current()).toEqual(['work'])
  await chat.answer(asked.id, 'Yes', 'person')
  expect((await chat.conversation('work')).open).toEqual([])
  expect(await chat.current()).toEqual([])
})

test('[Q2] the first answer wins, and a second one is refused and changes nothing', async () => {
  const { chat } = open()
  const { id } = await chat.ask('work', question)
  const answers = await Promise.allSettled(['one', 'two', 'three'].map((reply) => chat.answer(id, reply, 'person')))
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  const before = await chat.last()
  await expect(chat.answer(id, 'late', 'person')).rejects.toMatchObject({ code: 'question_settled' })
  expect(await chat.last()).toBe(before)
  expect((await chat.outcome(id, forever)).body.reply).toBe('one')
})

test('[Q2] the first answer wins between two hubs on one log', async () => {
  const log = openMemoryLog()
  const { chat: here } = open({ log })
  const { chat: there } = open({ log })
  const { id } = await here.ask('work', question)
  const answers = await Promise.allSettled([here.answer(id, 'here', 'a'), there.answer(id, 'there', 'b')])
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await here.page('work', { limit: 10 })).entries.map(({ body }) => body.kind)).toEqual([
    'question',
    'settlement',
  ])
})

test('[Q3] a command repeated with its key happens once and is answered as before', async () => {
  const { chat } = open()
  const { id } = await chat.ask('work', question)
  const first = await chat.answer(id, 'Yes', 'person', 'key-1')
  expect(await chat.answer(id, 'Yes', 'person', 'key-1')).toEqual(first)
  const said = await chat.post('work', { author: 'user', by: 'person', text: 'Hello' }, 'key-2')
  expect(await chat.post('work', { author: 'user', by: 'person', text: 'Hello' }, 'key-2')).toEqual(said)
  expect((await chat.page('work', { limit: 10 })).entries).toHaveLength(3)
})

test('[Q4] an answer to a question that does not exist is refused', async () => {
  const { chat } = open()
  const message = await chat.post('work', { author: 'user', by: 'person', text: 'Hello' })
  for (const id of [message.id, '0000000000000001', '9999999999999999'])
    await expect(chat.answer(id, 'Yes', 'person')).rejects.toMatchObject({ code: 'unknown_question' })
})

test('[Q5] a question expires at its deadline, and an answer before it keeps it from expiring', async () => {
  const clock = fakeClock()
  const { chat } = open({ clock })
  const late = await chat.ask('work', { ...question, expires_at: 1000 })
  const soon = await chat.ask('work', { ...question, expires_at: 1000 })
  await chat.answer(soon.id, 'In time', 'person')
  const outcome = chat.outcome(late.id, forever)
  clock.advance(1000)
  expect((await outcome).body).toMatchObject({ outcome: 'expired' })
  expect((await chat.outcome(soon.id, forever)).body).toMatchObject({ outcome: 'answered', reply: 'In time' })
  await expect(chat.answer(late.id, 'Too late', 'person')).rejects.toMatchObject({ code: 'question_settled' })
})

test('[Q5] deadlines are rebuilt from the log after a restart', async () => {
  const log = openMemoryLog()
  const { chat: before } = open({ log })
  const { id } = await before.ask('work', { ...question, expires_at: 1000 })
  const clock = fakeClock()
  const { chat: after } = open({ log, clock })
  await after.recovered
  const outcome = after.outcome(id, forever)
  clock.advance(5000)
  expect((await outcome).body.outcome).toBe('expired')
})

test('[Q6] ending a wait leaves the question open', async () => {
  const { chat } = open()
  const { id } = await chat.ask('work', question)
  const stop = new AbortController()
  const waiting = chat.outcome(id, stop.signal)
  stop.abort(new Error('client went away'))
  await expect(waiting).rejects.toThrow('client went away')
  expect((await chat.conversation('work')).open).toHaveLength(1)
  await chat.answer(id, 'Yes', 'person')
  expect((await chat.outcome(id, forever)).body.reply).toBe('Yes')
})

test('[Q12] a conversation is the same after a restart, whatever its snapshot covers', async () => {
  const log = openMemoryLog()
  const { chat: before } = open({ log })
  const { id } = await before.ask('work', question)
  await Promise.all(
    Array.from({ length: 1200 }, (_, n) => before.post('work', { author: 'user', by: 'person', text: `${n}` })),
  )
  await before.rename('work', 'The work')
  const { chat: after } = open({ log })
  expect(await after.conversation('work')).toEqual(await before.conversation('work'))
  expect((await after.conversation('work')).open.map((open) => open.id)).toEqual([id])
})

test('[Q12] loading a conversation costs a snapshot and at most 1,000 entries, however long it is', async () => {
  const log = openMemoryLog()
  const { chat: before } = open({ log })
  await Promise.all(
    Array.from({ length: 5000 }, (_, n) => before.post('work', { author: 'user', by: 'person', text: `${n}` })),
  )
  let entriesRead = 0
  const counting: Log = {
    ...log,
    async read(page) {
      const entries = await log.read(page)
      entriesRead += entries.length
      return entries
    },
  }
  const { chat: after } = open({ log: counting })
  await after.recovered
  expect((await after.conversation('work')).preview).toBe('4999')
  expect(entriesRead).toBeLessThanOrEqual(1000)
})

test('[Q13] commands that come together keep their order', async () => {
  const { chat } = open()
  const { id } = await chat.ask('work', question)
  await Promise.all([
    chat.post('work', { author: 'user', by: 'person', text: 'a' }),
    chat.answer(id, 'b', 'person'),
    chat.post('work', { author: 'user', by: 'person', text: 'c' }),
  ])
  const { entries } = await chat.page('work', { limit: 10 })
  expect(entries.slice(1).map(({ body }) => ('reply' in body ? body.reply : 'text' in body && body.text))).toEqual([
    'a',
    'b',
    'c',
  ])
})

test('[Q14] what two hubs append to one conversation at once is all kept', async () => {
  const log = openMemoryLog()
  const hubs = [open({ log }).chat, open({ log }).chat]
  await Promise.all(
    hubs.flatMap((chat, hub) =>
      Array.from({ length: 50 }, (_, n) => chat.post('work', { author: 'user', by: `hub ${hub}`, text: `${n}` })),
    ),
  )
  const { entries } = await (hubs[0] as Chat).page('work', { limit: 200 })
  expect(entries).toHaveLength(100)
  for (const hub of [0, 1])
    expect(
      entries.flatMap(({ body }) => (body.kind === 'message' && body.by === `hub ${hub}` ? [body.text] : [])),
    ).toEqual(Array.from({ length: 50 }, (_, n) => `${n}`))
})

test('[Q15] a conversation that nobody spoke in does not exist', async () => {
  const { chat } = open()
  chat.seat({ conversation: 'work', title: 'Work' })
  expect(await chat.conversations({ limit: 10 })).toEqual([])
  await expect(chat.rename('work', 'Work')).rejects.toMatchObject({ code: 'unknown_conversation' })
  expect(await chat.conversations({ limit: 10 })).toEqual([])
})
