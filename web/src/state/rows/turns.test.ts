import { expect, test } from 'vitest'
import type { Body, Entry } from '../../../../src/protocol/entries/entry.ts'
import { emptyConversation, fold } from '../../../../src/protocol/entries/fold.ts'
import { idOf } from '../../../../test/support/ids.ts'
import { rowsOf } from './rows.ts'

const by = 'agent'
const asks: Body = { kind: 'question', by, text: 'Well?' }
const wants: Body = { kind: 'question', by, text: 'May I?', approval: { tool_name: 'Bash', input: '{}' } }
const ends: Body = { kind: 'turn', by }
const writes: Body = { kind: 'message', author: 'user', by: 'person', text: 'Go on' }
const thinks: Body = { kind: 'thinking', by, reasoning: 'Hm' }
const fetches: Body = { kind: 'receipt', state: 'delivered', messages_to: idOf(1) }
const settles = (outcome: 'answered' | 'approved', question: number): Body => {
  return {
    kind: 'settlement',
    by: 'person',
    question: idOf(question),
    outcome,
    ...(outcome === 'answered' && { reply: 'Yes' }),
  }
}

/** The seconds of work that the rows tell of, in a conversation where this happened at these seconds. */
function workedIn(happened: [number, Body][], wholly = true) {
  const entries = happened.map(([second, body], n): Entry => {
    return { id: idOf(n + 1), conversation: 'work', at: 1_000_000 + second * 1000, body }
  })
  const state = entries.reduce(fold, emptyConversation('work'))
  const rows = rowsOf({ entries, state, pending: [], thinking: false, wholly })
  return rows.flatMap(({ worked }) => (worked === undefined ? [] : worked / 1000))
}

test('[U183] a turn is from a message or an answer until the agent asks or ends it', () => {
  expect(
    workedIn([
      [0, writes],
      [5, thinks],
      [134, ends],
    ]),
  ).toEqual([134])
  expect(
    workedIn([
      [0, asks],
      [60, settles('answered', 1)],
      [70, thinks],
      [90, asks],
      [95, settles('answered', 4)],
      [99, ends],
    ]),
  ).toEqual([30, 4])
})

test('[U183] without one it is from the first activity of the agent, and what is shorter than a second is not told', () => {
  expect(
    workedIn([
      [10, thinks],
      [20, thinks],
      [22, asks],
    ]),
  ).toEqual([12])
  expect(
    workedIn([
      [0, writes],
      [0.9, ends],
    ]),
  ).toEqual([])
  expect(
    workedIn([
      [0, asks],
      [9, asks],
      [20, ends],
    ]),
  ).toEqual([])
})

test('[U183] a message that waits to be fetched, a verdict that is awaited and a silence are nobody’s work', () => {
  expect(
    workedIn([
      [0, writes],
      [3600, fetches],
      [3610, thinks],
      [3615, asks],
    ]),
  ).toEqual([15])
  expect(
    workedIn([
      [0, writes],
      [10, wants],
      [15, wants],
      [100, settles('approved', 2)],
      [110, settles('approved', 3)],
      [130, ends],
    ]),
  ).toEqual([30])
  expect(
    workedIn([
      [0, thinks],
      [7200, writes],
      [7210, thinks],
      [7220, ends],
    ]),
  ).toEqual([20])
  expect(
    workedIn([
      [0, writes],
      [50, thinks],
      [60, writes],
      [100, ends],
    ]),
  ).toEqual([100])
})

test('[U183] of a turn that began on a page that is not loaded nothing is told', () => {
  const turns: [number, Body][] = [
    [0, thinks],
    [10, ends],
    [20, writes],
    [25, ends],
  ]
  expect(workedIn(turns)).toEqual([10, 5])
  expect(workedIn(turns, false)).toEqual([5])
})
