import { expect, test } from 'vitest'
import type { Body, Entry } from '../../../../src/protocol/entries/entry.ts'
import { emptyConversation } from '../../../../src/protocol/entries/fold.ts'
import { idOf } from '../../../../test/support/ids.ts'
import type { Row } from './row.ts'
import { rowsOf } from './rows.ts'
import { summaryOf } from './steps.ts'

const NOON = new Date(2026, 10, 15, 12).getTime()
const SECOND_MS = 1000

const told = (text: string): Body => ({ kind: 'message', author: 'assistant', by: 'agent', text })
const said = (text: string): Body => ({ kind: 'message', author: 'user', by: 'person', text })
const called = (tool_name: string): Body => ({ kind: 'tool_call', by: 'agent', tool_name, tool_args: '{}' })
const thought: Body = { kind: 'thinking', by: 'agent', reasoning: 'Hm' }
const returned = (tool_name: string, success = true): Body => ({
  kind: 'tool_result',
  by: 'agent',
  tool_name,
  result: 'ok',
  success,
})

interface Shown {
  since?: number
  from?: number
  left?: 'gone' | 'open'
}

/** The rows of these bodies, a second apart; `from` is the first that is loaded. */
function rowsFor(bodies: Body[], { since, from = 1, left }: Shown = {}): Row[] {
  const entries = bodies.map((body, n): Entry => {
    return { id: idOf(n + 1), conversation: 'work', at: NOON + n * SECOND_MS, body }
  })
  return rowsOf({
    entries: entries.slice(from - 1),
    state: emptyConversation('work'),
    pending: [],
    thinking: false,
    since: since === undefined ? undefined : idOf(since),
    wholly: from === 1,
    left,
  })
}

test('[U64] three steps or more without a word between are one row, and words end a run', () => {
  const run = [called('Read'), returned('Read'), thought, called('Bash'), returned('Bash', false)]
  const rows = rowsFor([...run, told('Half done'), called('Edit'), called('Edit'), told('Done')])
  expect(rows.map(({ kind, key }) => [kind, key])).toEqual([
    ['steps', idOf(1)],
    ['bubble', idOf(6)],
    ['tool', idOf(7)],
    ['tool', idOf(8)],
    ['bubble', idOf(9)],
  ])
  const [first] = rows
  if (first?.kind !== 'steps') throw new Error('There is no run')
  expect(summaryOf(first.steps)).toMatchObject({ names: 'Read, Bash', failed: 1, from: NOON, to: NOON + 4 * SECOND_MS })
})

test('[U64] a run says what is being done now, and what was done how often', () => {
  const [row] = rowsFor([called('Read'), returned('Read'), called('Read'), returned('Read'), called('Bash')])
  if (row?.kind !== 'steps') throw new Error('There is no run')
  expect(summaryOf(row.steps)).toMatchObject({ names: 'Read × 2, Bash', failed: 0, current: { name: 'Bash' } })
})

test('[U64] a call shows how long it took', () => {
  expect(rowsFor([called('Read'), told('Meanwhile'), returned('Read')])[0]).toMatchObject({
    at: NOON,
    endedAt: NOON + 2 * SECOND_MS,
  })
})

test('[U64] a call whose agent is gone or not at it says so, and one that ended does not', () => {
  const bodies = [called('Read'), returned('Read'), told('Hello'), called('Bash')]
  const states = (left: Shown['left']) => rowsFor(bodies, { left }).flatMap((row) => ('state' in row ? row.state : []))
  expect(states(undefined)).toEqual(['done', 'running'])
  expect(states('gone')).toEqual(['done', 'gone'])
  expect(states('open')).toEqual(['done', 'open'])
})

test('[U63] the first news after what was seen is marked, with the time of what was seen', () => {
  const bodies = [told('1'), told('2'), said('mine'), called('Read'), told('3'), told('4')]
  const marks = (shown: Shown) => rowsFor(bodies, shown).map(({ fresh }) => fresh)
  expect(marks({ since: 2 })).toEqual([undefined, undefined, undefined, undefined, NOON + SECOND_MS, undefined])
  expect(marks({ since: 6 })).toEqual([undefined, undefined, undefined, undefined, undefined, undefined])
  expect(marks({})).toEqual([undefined, undefined, undefined, undefined, undefined, undefined])
})

test('[U63] where the window does not show what was seen, nothing looks like the first news', () => {
  const bodies = [told('1'), told('2'), told('3'), told('4')]
  expect(rowsFor(bodies, { since: 1, from: 3 }).map(({ fresh }) => fresh)).toEqual([undefined, undefined])
  expect(rowsFor(bodies, { since: 2, from: 2 }).map(({ fresh }) => fresh)).toEqual([
    undefined,
    NOON + SECOND_MS,
    undefined,
  ])
})

test('[U63] a run of steps ends at the line above what is new', () => {
  const failure: Body = { kind: 'error', by: 'agent', error: 'No' }
  const rows = rowsFor([called('A'), called('B'), failure, called('C'), called('D'), called('E')], { since: 2 })
  expect(rows.map(({ kind, fresh }) => [kind, fresh !== undefined])).toEqual([
    ['tool', false],
    ['tool', false],
    ['note', true],
    ['steps', false],
  ])
})
