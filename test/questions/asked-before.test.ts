import { expect, test } from 'vitest'
import { NO_POLICY } from '../../src/chat/approvals/policing.ts'
import { askersLike, placesOf, stopsBefore } from '../../src/chat/questions/asking.ts'
import { createOverdue } from '../../src/chat/questions/overdue.ts'
import type { ConversationState } from '../../src/protocol/entries/fold.ts'
import { ParleyError } from '../../src/protocol/errors.ts'
import { ask, openTestChat } from '../support/chat.ts'
import { fakeClock } from '../support/fake-clock.ts'

type Prepared = Parameters<typeof placesOf>[1][number]

const [ONE, TWO, THREE] = ['0000000000000001', '0000000000000002', '0000000000000003']
const WHOSE = { fingerprint: 'same', visit: 'v1', folder: '/work' }
const QUESTION = { kind: 'question', by: 'codex', asker: 'bot', text: 'Deploy?', ...WHOSE }
const asked = { key: 'k', question: QUESTION } as unknown as Prepared
const state = (open: object[], recent: object[] = []) => ({ open, replies: { recent } }) as unknown as ConversationState
const before = { isMeant: () => true, reached: () => false }

test('[M36] of the same words that are open the oldest are meant, each once', () => {
  const open = [THREE, ONE].map((id) => ({ ...WHOSE, id, at: 1 }))
  expect(placesOf(state(open), [asked, asked, asked], before)).toEqual([ONE, THREE, undefined])
  const late = { ...WHOSE, question: TWO, settlement: '9', at: 1 }
  expect(placesOf(state(open, [late]), [asked, asked], before)).toEqual([ONE, TWO])
  expect(placesOf(state([], [{ ...late, delivered: true }]), [asked], before)).toEqual([undefined])
  expect(placesOf(state([], [late]), [asked], { ...before, reached: () => true })).toEqual([undefined])
})

test('[Q60] who asked the same is known from what is open and from late replies', () => {
  const other = { ...WHOSE, fingerprint: 'other' }
  const found = askersLike(state([{ ...WHOSE, at: 1 }, other], [{ ...WHOSE, visit: 'v2', at: 2 }]), asked)
  const agent = { asker: 'bot', agent: 'codex', folder: '/work' }
  expect(found).toEqual([
    { ...agent, visit: 'v1', at: 1 },
    { ...agent, visit: 'v2', at: 2 },
  ])
})

test('[Q92] a stop that an agent has heard refuses it nothing more', () => {
  const stopped = { stop: { last: TWO, read: '0', delivered: '0', earlier: [ONE] } } as unknown as ConversationState
  expect(stopsBefore(stopped, undefined, undefined)).toEqual([ONE, TWO])
  expect(stopsBefore(stopped, ONE, undefined)).toEqual([TWO])
  expect(stopsBefore(stopped, TWO, undefined)).toEqual([])
})

test('[A85] what could not be ended is tried again, and never once the hub has closed', async () => {
  const clock = fakeClock()
  const problems: unknown[] = []
  const overdue = createOverdue({ clock, report: (error) => problems.push(error) })
  let error: Error = new ParleyError('disk_full')
  let tries = 0
  const write = async () => {
    tries++
    throw error
  }
  for (const [next, reported] of [
    [new ParleyError('question_settled'), []],
    [new Error('Broken'), [expect.objectContaining({ message: 'Broken' })]],
  ] as const) {
    error = new ParleyError('disk_full')
    await overdue.end('1', write)
    expect(overdue.has('1')).toBe(true)
    error = next
    clock.advance(3_600_000)
    await new Promise(setImmediate)
    expect([problems, overdue.has('1')]).toEqual([reported, false])
  }
  error = new ParleyError('disk_full')
  await overdue.end('1', write)
  overdue.close()
  await overdue.end('2', write)
  const before = tries
  clock.advance(3_600_000)
  expect([tries, overdue.has('1'), overdue.has('2')]).toEqual([before, false, false])
})

test('[A48] who denies a call while its rule is being written comes after it', async () => {
  const written = Promise.withResolvers<string>()
  const { view } = openTestChat({ policy: { ...NO_POLICY, remember: () => written.promise } })
  const question = await ask(view, { by: 'codex', text: 'Allow?', approval: { tool_name: 'Read', input: '{}' } })
  const allowed = view.allowByRule(question, undefined, 'everyone')
  const denied = view.deny(question, 'No').catch((error) => error)
  written.resolve('rule')
  expect((await allowed).body).toMatchObject({ outcome: 'approved' })
  expect(await denied).toMatchObject({ code: 'question_settled' })
})
