import { expect, test } from 'vitest'
import { forever, newLog, nextQuestion, openTestChat, reached, until } from '../../../test/support/chat.ts'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { createDeadlines } from './deadlines.ts'
import { createOverdue } from './overdue.ts'

const approval = { tool_name: 'Bash', input: '{"command":"ls"}' }
const bash = { by: 'agent', text: 'Use Bash?', approval }
// More turns of the queue than there are between asking and waiting.
const MOST_TURNS = 60

/** A chat whose log takes nothing while the disk is full, and an agent that asks for a verdict and cancels it then. */
async function cancelledOnFullDisk() {
  const inner = newLog()
  let failure: Error | undefined
  const log: typeof inner = {
    ...inner,
    append: (...args) => (failure ? Promise.reject(failure) : inner.append(...args)),
  }
  const clock = fakeClock()
  const { view, problems } = openTestChat({ log, clock })
  const session = reached(view.agentSession({ conversation: 'work', title: 'Work' }))
  const cancelled = new AbortController()
  const call = session.ask([{ ...bash, key: 'a' }], { signal: cancelled.signal, alone: true })
  const question = await nextQuestion(view)
  fill(true)
  cancelled.abort(new Error('cancelled'))
  await expect(call).rejects.toThrow('cancelled')
  const isOpen = async () => (await view.conversation('work')).open.some(({ id }) => id === question)
  return { view, session, clock, question, fill, failWith, isOpen, problems }

  function fill(full: boolean) {
    failWith(full ? new ParleyError('disk_full') : undefined)
  }

  function failWith(error: Error | undefined) {
    failure = error
  }
}

test('[A85] what was given up while the disk was full is withdrawn when there is room', async () => {
  const { clock, fill, isOpen, problems } = await cancelledOnFullDisk()
  clock.advance(1000)
  await new Promise(setImmediate)
  expect(await isOpen()).toBe(true)
  fill(false)
  clock.advance(1000)
  await until(async () => !(await isOpen()))
  expect(problems).toEqual([])
})

test('[A85] whether there is room is looked at each second, and not before', async () => {
  const { clock, fill, isOpen } = await cancelledOnFullDisk()
  fill(false)
  clock.advance(999)
  for (let turn = 0; turn < MOST_TURNS; turn++) await new Promise(setImmediate)
  expect(await isOpen()).toBe(true)
  clock.advance(1)
  await until(async () => !(await isOpen()))
})

test('[A85] until then nobody else settles it, by itself or with others of its tool', async () => {
  const { view, question, fill } = await cancelledOnFullDisk()
  await expect(view.allow(question, undefined)).rejects.toMatchObject({ code: 'disk_full' })
  fill(false)
  const other = view.agentSession({ conversation: 'work', title: 'Work' })
  const call = other.ask([{ ...bash, key: 'b' }], { ...forever, alone: true })
  await until(async () => (await view.conversation('work')).open.length === 2)
  const second = await nextQuestion(view)
  await view.allowAlways(second, undefined)
  expect((await call).settlements).toMatchObject([{ outcome: 'approved' }])
  expect((await view.conversation('work')).open).toMatchObject([{ id: question }])
  await expect(view.allow(question, undefined)).rejects.toMatchObject({ code: 'question_settled' })
  const { entries } = await view.page('work', { limit: 100 })
  expect(entries.filter(({ body }) => body.kind === 'settlement' && body.question === question)).toMatchObject([
    { body: { outcome: 'withdrawn' } },
  ])
})

test('[A86] who asks for it again before it is withdrawn gets the verdict', async () => {
  const { view, session, clock, question, fill } = await cancelledOnFullDisk()
  fill(false)
  const call = session.ask([{ ...bash, key: 'a' }], { ...forever, alone: true })
  for (let turn = 0; turn < MOST_TURNS; turn++) await new Promise(setImmediate)
  clock.advance(1000)
  await view.allow(question, undefined)
  expect((await call).settlements).toMatchObject([{ question, outcome: 'approved' }])
})

test('[A85] a fault that keeps it from being withdrawn keeps it from being allowed, too', async () => {
  const { view, question, failWith, isOpen } = await cancelledOnFullDisk()
  failWith(new TypeError('a fault'))
  await expect(view.allow(question, undefined)).rejects.toThrow('a fault')
  failWith(undefined)
  await expect(view.allow(question, undefined)).rejects.toMatchObject({ code: 'question_settled' })
  expect(await isOpen()).toBe(false)
})

test('[A85] an end is awaited only while it is being written or there is no room', async () => {
  const overdue = createOverdue({ clock: fakeClock(), report() {} })
  const failing = (code: 'question_settled' | 'disk_full') => () => Promise.reject(new ParleyError(code))
  await expect(overdue.end('settled', failing('question_settled'))).rejects.toMatchObject({ code: 'question_settled' })
  await overdue.end('written', async () => expect(overdue.has('written')).toBe(true))
  let isFull = true
  await overdue.end('late', async () => {
    if (isFull) throw new ParleyError('disk_full')
  })
  expect(['settled', 'written', 'late'].map(overdue.has)).toEqual([false, false, true])
  await expect(overdue.ended('late')).rejects.toMatchObject({ code: 'disk_full' })
  expect(overdue.has('late')).toBe(true)
  isFull = false
  await overdue.ended('late')
  expect(overdue.has('late')).toBe(false)
})

test('[A85] what goes wrong later is reported, unless somebody was first, and nothing is tried once the hub closes', async () => {
  const clock = fakeClock()
  const reported: unknown[] = []
  const overdue = createOverdue({ clock, report: (error) => reported.push(error) })
  const full = new ParleyError('disk_full')
  const writes: string[] = []
  /** An end that fails with each of these in turn. */
  const failing =
    (name: string, ...errors: Error[]) =>
    async () => {
      writes.push(name)
      const error = errors.shift()
      if (error) throw error
    }
  const fault = new TypeError('a fault')
  await overdue.end('faulty', failing('faulty', full, fault))
  await overdue.end('taken', failing('taken', full, new ParleyError('question_settled')))
  await overdue.end('waits', failing('waits', full))
  const late = Promise.withResolvers<never>()
  const ending = overdue.end('under way', () => late.promise)
  clock.advance(1000)
  await new Promise(setImmediate)
  expect(reported).toEqual([fault])
  await overdue.end('waits', failing('waits', full))
  overdue.close()
  late.reject(full)
  await ending
  await overdue.end('after', failing('after', full))
  writes.length = 0
  clock.advance(1000)
  await new Promise(setImmediate)
  expect(writes).toEqual([])
  expect(reported).toEqual([fault])
})

test('[Q5] a deadline whose question has its answer already is over', async () => {
  const clock = fakeClock(1000)
  const said: unknown[] = []
  const deadlines = createDeadlines({
    clock,
    expire: () => Promise.reject(new ParleyError('question_settled')),
    waiters: { stillOpen: (question) => said.push(question) },
    report: (error) => said.push(error),
  })
  deadlines.set('1', 1010)
  clock.advance(10)
  await new Promise(setImmediate)
  expect(said).toEqual([])
})

/** Deadlines of a log that takes nothing; what they did, in order. */
function failingDeadlines() {
  const clock = fakeClock(1000)
  const done: unknown[] = []
  const deadlines = createDeadlines({
    clock,
    expire: async (question) => {
      done.push(question)
      throw new ParleyError('disk_full')
    },
    waiters: { stillOpen: (question) => done.push(`${question} is open`) },
    report: (error) => done.push((error as ParleyError).code),
  })
  const after = async (ms: number) => {
    clock.advance(ms)
    await new Promise(setImmediate)
    return done.splice(0)
  }
  return { deadlines, after }
}

test('[Q5] a deadline that is set twice rings once, and again after ten seconds where the log took nothing', async () => {
  const { deadlines, after } = failingDeadlines()
  for (let n = 0; n < 2; n++) deadlines.set('1', 1010)
  const tried = ['1', 'disk_full', '1 is open']
  expect([await after(9), await after(1)]).toEqual([[], tried])
  expect([await after(9999), await after(1)]).toEqual([[], tried])
  deadlines.forget('1')
  expect(await after(10_000)).toEqual([])
})

test('[Q5] nothing rings once the hub closes, not even what is set then', async () => {
  const { deadlines, after } = failingDeadlines()
  deadlines.set('1', 1010)
  deadlines.close()
  deadlines.set('2', 1010)
  expect(await after(20)).toEqual([])
})
