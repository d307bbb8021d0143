import { expect, test } from 'vitest'
import type { Body, Entry } from '../../../../src/protocol/entries/entry.ts'
import { emptyConversation, fold } from '../../../../src/protocol/entries/fold.ts'
import { idOf } from '../../../../test/support/ids.ts'
import { turnWords } from '../../text/turn-words.ts'
import { type Pending, rowsOf } from './rows.ts'

const by = 'agent'
const NOON = new Date(2026, 10, 15, 12).getTime()
const called = (call_id: string, more: object = {}): Body => {
  return { kind: 'tool_call', by, tool_name: 'edit', tool_args: '{}', call_id, ...more }
}
const returned = (call_id: string, result: string, more: object = {}): Body => {
  return { kind: 'tool_result', by, tool_name: 'edit', result, success: true, call_id, ...more }
}
const said = (text: string): Body => ({ kind: 'message', author: 'user', by: 'person', text })

function rowsFor(
  bodies: Body[],
  { waits = false, pending = [] as Pending[], left = undefined as 'gone' | 'open' | undefined } = {},
) {
  const entries = bodies.map((body, n): Entry => {
    return { id: idOf(n + 1), conversation: 'work', at: NOON + n * 1000, body }
  })
  const state = entries.reduce(fold, emptyConversation('work'))
  return rowsOf({ entries, state, pending, thinking: false, waits, left, mine: new Set(['mine']) })
}

test('[U193] a result finds its call by its id, in whatever order they come', () => {
  const rows = rowsFor([called('a'), called('b'), returned('b', 'second'), returned('a', 'first')])
  expect(rows).toMatchObject([{ result: 'first' }, { result: 'second' }])
})

test('[U193] a call that is told once more is the same row, with what is known of it now', () => {
  const known = { title: 'Edit a.ts', locations: [{ path: 'a.ts', line: 3 }] }
  const changes = [{ path: 'a.ts', old_text: 'a', new_text: 'b' }]
  const rows = rowsFor([called('a'), called('a', known), returned('a', '', { changes })])
  expect(rows).toMatchObject([{ kind: 'tool', ...known, changes, state: 'done' }])
})

test('[U193] after a turn an id may stand for another call, and one without a result has none', () => {
  const rows = rowsFor([called('a'), { kind: 'turn', by }, called('a'), returned('a', 'new')])
  expect(rows).toMatchObject([{ state: 'lost' }, { kind: 'note' }, { state: 'done', result: 'new' }])
})

test('[U194] a turn has one plan, in the place of its first, as it was told last', () => {
  const plan = (...states: ('pending' | 'in_progress' | 'completed')[]): Body => {
    return { kind: 'plan', by, steps: states.map((state, n) => ({ text: `step ${n}`, state })) }
  }
  const rows = rowsFor([
    plan('in_progress', 'pending'),
    called('a'),
    plan('completed', 'in_progress'),
    { kind: 'turn', by },
    plan('pending'),
  ])
  expect(rows.map(({ kind }) => kind)).toEqual(['plan', 'tool', 'note', 'plan'])
  expect(rows[0]).toMatchObject({ id: idOf(1), plan: [{ state: 'completed' }, { state: 'in_progress' }] })
  expect(rows[3]).toMatchObject({ plan: [{ state: 'pending' }] })
})

const options = [
  { id: 'yes', label: 'Yes', kind: 'allow_once' as const },
  { id: 'always', label: 'Yes, and don’t ask again', kind: 'allow_always' as const },
  { id: 'no', label: 'No', kind: 'reject_once' as const },
]

function asked(call_id: string): Body {
  return { kind: 'question', by, text: 'Edit a.ts', approval: { tool_name: 'edit', input: '{}', options, call_id } }
}

test('[U206] a call waits for the person for as long as its approval is open', () => {
  const open = [called('a'), called('b'), asked('a')]
  const call = (state: string) => ({ kind: 'approval', call: { state } })
  expect(rowsFor(open)).toMatchObject([{ state: 'running' }, call('waiting')])
  const settled: Body = { kind: 'settlement', question: idOf(3), outcome: 'approved', by: 'person' }
  expect(rowsFor([...open, settled])).toMatchObject([{ state: 'running' }, call('running')])
  const verdict = { type: 'allow' as const }
  const pending = [{ key: 'mine', text: '', at: NOON, question: idOf(3), verdict }]
  expect(rowsFor(open, { pending })[1]).toMatchObject(call('running'))
})

test('[U441] a call and the question about it are one row, whichever is told first, with the day that it begins', () => {
  const ended = { kind: 'approval', state: 'allowed', call: { name: 'edit', result: 'Done', state: 'done' } }
  const settled = (n: number): Body => ({ kind: 'settlement', question: idOf(n), outcome: 'approved', by: 'person' })
  const first = rowsFor([called('a'), asked('a'), settled(2), returned('a', 'Done')])
  expect(first).toMatchObject([{ ...ended, day: NOON }])
  expect(first).toHaveLength(1)
  expect(rowsFor([asked('a'), settled(1), called('a'), returned('a', 'Done')])).toMatchObject([ended])
})

test('[U441] a call with an id of another turn has a row of its own, and who asks again means the same one', () => {
  const turn: Body = { kind: 'turn', by }
  expect(rowsFor([asked('a'), turn, called('a')]).map(({ kind }) => kind)).toEqual(['approval', 'note', 'tool'])
  const twice = rowsFor([called('a'), asked('a'), asked('a')])
  expect(twice.map((row) => row.kind === 'approval' && row.call !== undefined)).toEqual([false, true])
})

test('[U206] it is not one of the steps around it, and one whose agent is gone does not wait', () => {
  const steps = [called('a'), returned('a', ''), called('b'), returned('b', ''), called('c'), asked('c')]
  expect(rowsFor(steps).map(({ kind }) => kind)).toEqual(['tool', 'tool', 'approval'])
  expect(rowsFor([called('a'), asked('a')], { left: 'gone' })[0]).toMatchObject({ call: { state: 'gone' } })
  expect(rowsFor([called('a'), asked('a')], { left: 'open' })[0]).toMatchObject({ call: { state: 'waiting' } })
})

const wanted: Body = { kind: 'question', by, text: 'May I?', approval: { tool_name: 'edit', input: '{}', options } }

test('[U195] a record says which of the agent’s options was taken', () => {
  const taken = (option: string, outcome: 'approved' | 'denied'): Body => {
    return { kind: 'settlement', question: idOf(1), outcome, by: 'ada', option }
  }
  expect(rowsFor([wanted, taken('always', 'approved')])).toMatchObject([
    { state: 'allowed', option: 'Yes, and don’t ask again', who: 'ada' },
  ])
  expect(rowsFor([wanted, taken('no', 'denied')])).toMatchObject([{ state: 'denied', option: 'No' }])
})

test('[U195] while it is on its way, the record stands as it will', () => {
  const pending = (option: string): Pending => {
    return { key: 'mine', text: '', at: NOON, question: idOf(1), verdict: { type: 'take_option', option } }
  }
  const shown = (option: string) => rowsFor([wanted], { pending: [pending(option)] })
  expect(shown('always')).toMatchObject([{ state: 'allowed', sending: true, who: 'you' }])
  expect(shown('no')).toMatchObject([{ state: 'denied', sending: true, option: 'No' }])
})

test('[U197] the end of a turn says how it ended and what it took', () => {
  const turn = { kind: 'turn', by } as const
  expect(turnWords(turn)).toBe('The agent ended its turn')
  const cost = { amount: 0.0213, currency: 'USD' }
  expect(turnWords({ ...turn, duration_ms: 12_000, tokens: { input: 12_345, output: 340 }, cost })).toBe(
    'The agent ended its turn · 12 s · 12.3K tokens in, 340 out · $0.0213',
  )
  expect(turnWords({ ...turn, outcome: 'cancelled', duration_ms: 900 })).toBe('The turn was stopped · 0.9 s')
  expect(turnWords({ ...turn, outcome: 'failed', cost: { amount: 3, currency: 'credits' } })).toBe(
    'The turn failed · 3 credits',
  )
})

test('[U197] what a turn says itself is not said twice', () => {
  const [, ended] = rowsFor([said('Go'), { kind: 'turn', by, duration_ms: 1000 }])
  expect(ended?.worked).toBeUndefined()
})

test('[U198] what is said during a turn waits until it was received', () => {
  const receipt: Body = { kind: 'receipt', state: 'delivered', messages_to: idOf(1) }
  const waiting = (waits: boolean, ...more: Body[]) => {
    return rowsFor([said('one'), said('two'), ...more], { waits }).map((row) => row.kind === 'bubble' && row.waits)
  }
  expect(waiting(true)).toEqual([true, true])
  expect(waiting(true, receipt)).toEqual([undefined, true])
  expect(waiting(false)).toEqual([undefined, undefined])
})
