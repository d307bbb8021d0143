import { expect, test } from 'vitest'
import type { AgentState } from '../../../../src/protocol/entries/agent-state.ts'
import { emptyConversation } from '../../../../src/protocol/entries/fold.ts'
import { idOf } from '../../../../test/support/ids.ts'
import { nothingSeen } from '../../../../test/support/page-state.ts'
import { waited } from '../../text/wait.ts'
import { Roster } from './roster.svelte.ts'

const MINUTE_MS = 60_000
const is = (state: AgentState) => ({ state, seen: 0 })

function rosterOf(asked: Record<string, number[]>): Roster {
  const roster = new Roster(nothingSeen())
  for (const [id, times] of Object.entries(asked)) {
    const open = times.map((at) => ({ id: idOf(at), at, by: 'agent', text: 'Well?' }))
    roster.learn({ ...emptyConversation(id), last: idOf(Math.max(0, ...times)), open })
  }
  return roster
}

test('[U43] the longest wait comes first, whatever happened since, and the way goes round', () => {
  const roster = rosterOf({ late: [30], early: [10, 40], quiet: [], middle: [20] })
  expect(roster.needsYou.map(({ id }) => id)).toEqual(['early', 'middle', 'late'])
  expect(roster.needyAfter('quiet')).toBe('early')
  expect(roster.needyAfter('early')).toBe('middle')
  expect(roster.needyAfter('late')).toBe('early')
  expect(rosterOf({ quiet: [] }).needyAfter('quiet')).toBeUndefined()
})

test('[U43] of those that asked in the same millisecond the first comes first', () => {
  const roster = new Roster(nothingSeen())
  for (const [id, asked] of [
    ['first', 1],
    ['second', 2],
    ['third', 3],
  ] as const) {
    const open = [{ id: idOf(asked), at: 7, by: 'agent', text: 'Well?' }]
    roster.learn({ ...emptyConversation(id), last: idOf(asked), open })
  }
  expect(roster.needsYou.map(({ id }) => id)).toEqual(['first', 'second', 'third'])
})

test('[U43] what is being answered from here waits no more', () => {
  const roster = rosterOf({ one: [10], two: [20] })
  roster.get('one')?.say({ key: 'k', text: 'Yes', at: 50, question: '0000000000000010' })
  expect(roster.needsYou.map(({ id }) => id)).toEqual(['two'])
})

test('[U83] a conversation is listed once: who waits, who works, who is quiet, by what was said last', () => {
  const roster = rosterOf({ asks: [30], first: [], second: [], old: [] })
  for (const [id, said] of [
    ['first', 1],
    ['second', 2],
    ['old', 3],
  ] as const)
    roster.learn({ ...emptyConversation(id), said: idOf(said), last: idOf(50 - said) })
  roster.callRoll({ asks: is('waiting'), first: is('working'), second: is('working'), old: is('idle') })
  const shown = () => roster.sections.map(({ kind, conversations }) => [kind, ...conversations.map(({ id }) => id)])
  const before = [
    ['needy', 'asks'],
    ['working', 'second', 'first'],
    ['quiet', 'old'],
  ]
  expect(shown()).toEqual(before)
  // Silent changes move nothing.
  roster.learn({ ...emptyConversation('first'), said: idOf(1), last: idOf(90) })
  expect(shown()).toEqual(before)
  expect([roster.neighbourOf('asks', 1), roster.neighbourOf('old', -1), roster.neighbourOf('asks', -1)]).toEqual([
    'second',
    'first',
    undefined,
  ])
})

test('[U83] while the list is held nothing in it moves, and what is new comes last', () => {
  const roster = rosterOf({ one: [], two: [], three: [] })
  roster.callRoll({ one: is('working') })
  const shown = () => roster.sections.flatMap(({ conversations }) => conversations.map(({ id }) => id))
  const before = shown()
  roster.hold()
  roster.callRoll({ two: is('working') })
  roster.learn({ ...emptyConversation('two'), said: idOf(99), last: idOf(99) })
  const open = [{ id: idOf(100), at: 100, by: 'agent', text: 'Well?' }]
  roster.learn({ ...emptyConversation('new'), last: idOf(100), said: idOf(100), open })
  expect(shown()).toEqual([...before, 'new'])
  roster.release()
  expect(shown().slice(0, 2)).toEqual(['new', 'two'])
})

test('[U43] a wait is told in its largest unit', () => {
  const told = [0, 59_000, 5 * MINUTE_MS, 59 * MINUTE_MS, 60 * MINUTE_MS, 47 * 60 * MINUTE_MS, 50 * 60 * MINUTE_MS]
  expect(told.map((ms) => waited(0, ms))).toEqual(['now', 'now', '5 min', '59 min', '1 h', '47 h', '2 d'])
})
