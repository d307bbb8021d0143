import { expect, test } from 'vitest'
import { emptyConversation } from '../../../src/protocol/fold.ts'
import { idOf } from '../../../test/support/ids.ts'
import { seenIn } from '../../../test/support/page-state.ts'
import { waited } from '../text/wait.ts'
import { Roster } from './roster.svelte.ts'

const MINUTE_MS = 60_000

function rosterOf(asked: Record<string, number[]>): Roster {
  const roster = new Roster(seenIn())
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

test('[U43] what is being answered from here waits no more', () => {
  const roster = rosterOf({ one: [10], two: [20] })
  roster.get('one')?.say({ key: 'k', text: 'Yes', at: 50, question: '0000000000000010' })
  expect(roster.needsYou.map(({ id }) => id)).toEqual(['two'])
})

test('[U43] a wait is told in its largest unit', () => {
  const told = [0, 59_000, 5 * MINUTE_MS, 59 * MINUTE_MS, 60 * MINUTE_MS, 47 * 60 * MINUTE_MS, 50 * 60 * MINUTE_MS]
  expect(told.map((ms) => waited(0, ms))).toEqual(['now', 'now', '5 min', '59 min', '1 h', '47 h', '2 d'])
})
