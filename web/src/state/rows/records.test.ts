import { expect, test } from 'vitest'
import type { Body, Entry, Settlement } from '../../../../src/protocol/entries/entry.ts'
import { emptyConversation, fold } from '../../../../src/protocol/entries/fold.ts'
import { idOf } from '../../../../test/support/ids.ts'
import { Conversation } from '../conversation/conversation.svelte.ts'
import { isNews } from '../list/seen.svelte.ts'
import { endedElsewhere, stateOf } from './records.ts'
import { type Pending, rowsOf } from './rows.ts'

const NOON = new Date(2026, 10, 15, 12).getTime()
const approval = { tool_name: 'Bash', input: '{"command":"ls"}' }
const wanted: Body = { kind: 'question', by: 'agent', text: 'May I?', approval }
const options = [{ label: 'Red' }, { label: 'Blue', description: 'Like the sky' }]
const offered: Body = { kind: 'question', by: 'agent', text: 'Which?', options }
const told: Body = { kind: 'message', author: 'assistant', by: 'agent', text: 'Meanwhile' }

function settled(question: number, end: Partial<Settlement> & Pick<Settlement, 'outcome'>): Body {
  return { kind: 'settlement', question: idOf(question), by: 'person', ...end }
}

/** Numbered from 1, as are their keys. */
function entriesOf(...bodies: Body[]): Entry[] {
  return bodies.map((body, n) => ({ id: idOf(n + 1), key: `k${n + 1}`, conversation: 'work', at: NOON, body }))
}

function rowsFor(bodies: Body[], { pending = [], mine = [], from = 0 }: Partial<Mine> = {}) {
  const entries = entriesOf(...bodies)
  const state = entries.reduce(fold, emptyConversation('work'))
  return rowsOf({ entries: entries.slice(from), state, pending, mine: new Set(mine), thinking: false })
}

interface Mine {
  pending: Pending[]
  mine: string[]
  from: number
}

const ALWAYS = { type: 'allow', always: true } as const

/** The text of one approval's record once it ended this way. */
function said(end: Partial<Settlement> & Pick<Settlement, 'outcome'>, mine: string[] = []): string {
  const [row] = rowsFor([wanted, settled(1, end)], { mine })
  return row?.kind === 'approval' ? stateOf(row) : ''
}

test('[A8] a verdict changes the record of its question, which keeps its place and key', () => {
  expect(rowsFor([wanted])).toMatchObject([{ kind: 'approval', key: 'k1', tool: 'Bash', state: 'waiting' }])
  const rows = rowsFor([wanted, told, settled(1, { outcome: 'approved', input: '{"command":"ls -a"}' })])
  expect(rows).toMatchObject([
    { kind: 'approval', key: 'k1', state: 'changed', input: '{"command":"ls"}', changed: '{"command":"ls -a"}' },
    { kind: 'bubble' },
  ])
  expect(rowsFor([wanted, settled(1, { outcome: 'denied', reason: 'No' })])).toMatchObject([{ reason: 'No' }])
})

test('[A8] a record says how it ended, and by whom where that is known', () => {
  expect(said({ outcome: 'approved', by: 'ada' })).toBe('Allowed once by ada')
  expect(said({ outcome: 'approved', by: 'ada', input: '{}' })).toBe('Allowed with changes by ada')
  expect(said({ outcome: 'denied', by: 'ada' })).toBe('Denied by ada')
  expect(said({ outcome: 'denied' })).toBe('Denied')
  expect(said({ outcome: 'denied' }, ['k2'])).toBe('Denied by you')
  expect(said({ outcome: 'expired', by: 'parley' })).toBe('Expired without an answer')
  expect(said({ outcome: 'withdrawn', by: 'agent' })).toBe('Withdrawn')
})

test('[S195] a record says which rule allowed it, and names nobody’s permission', () => {
  const decided = { decision: 'allow', rule: { id: 'pen' } } as const
  expect(said({ outcome: 'approved', by: 'policy', decided })).toBe('Allowed by rule pen of the policy')
  const settlement = { kind: 'settlement', question: idOf(1), outcome: 'approved', by: 'policy', decided } as const
  expect(endedElsewhere(settlement)).toBe('Allowed by rule pen of the policy')
})

test('[A81] a record says that the agent that asked is gone', () => {
  expect(said({ outcome: 'withdrawn', by: 'agent', gone: true })).toBe('The agent that asked is gone')
  const settlement = { kind: 'settlement', question: idOf(1), outcome: 'withdrawn', by: 'agent', gone: true } as const
  expect(endedElsewhere(settlement)).toBe('The agent that asked is gone')
})

test('[U34] a record says that its tool is always allowed, and can be taken back as long as it is', () => {
  const granted = settled(1, { outcome: 'approved', by: 'ada', always: 'granted' })
  expect(said({ outcome: 'approved', by: 'ada', always: 'granted' })).toBe('Always allowed by ada')
  expect(said({ outcome: 'approved', always: 'granted' }, ['k2'])).toBe('Always allowed by you')
  expect(said({ outcome: 'approved', by: 'ada', input: '{}', always: 'granted' })).toBe(
    'Always allowed, this time with changes by ada',
  )
  expect(said({ outcome: 'approved', by: 'ada', always: 'used' })).toBe('Allowed by ada’s standing permission')
  expect(said({ outcome: 'approved', always: 'used' })).toBe('Allowed by a standing permission')
  expect(rowsFor([wanted, granted])).toMatchObject([{ grant: { tool_name: 'Bash', by: 'ada', since: idOf(2) } }])
  const taken: Body = { kind: 'revocation', by: 'bob', tool_name: 'Bash' }
  const rows = rowsFor([wanted, granted, taken])
  expect(rows[0]).toMatchObject({ state: 'allowed', always: true, grant: undefined })
  expect(rows[1]).toMatchObject({ kind: 'note', text: 'bob took back: Bash asks again' })
  const command = { place: 'command', begins: 'npm test' }
  expect(rowsFor([{ ...taken, since: idOf(2), command }])).toMatchObject([
    { text: 'bob took back: Bash “npm test …” asks again' },
  ])
  expect(rowsFor([{ ...taken, by: 'person' }])).toMatchObject([{ text: 'Taken back: Bash asks again' }])
})

test('[U34] a call that was always allowed is a line among what the agent did: no news, and nothing to answer', () => {
  const permitted: Body = { kind: 'permitted_call', by: 'agent', approval, granted_by: 'ada' }
  expect(rowsFor([permitted])).toMatchObject([{ kind: 'tool', name: 'Bash', state: 'permitted', who: 'ada' }])
  expect(rowsFor([permitted, permitted, permitted])).toMatchObject([{ kind: 'steps', steps: { length: 3 } }])
  const conversation = new Conversation(emptyConversation('work'))
  const entries = entriesOf(permitted, { kind: 'revocation', by: 'ada', tool_name: 'Bash' })
  conversation.follow(entries)
  expect(conversation.open).toEqual([])
  expect(conversation.news).toBeUndefined()
  expect(entries.some(isNews)).toBe(false)
})

test('[A8] a verdict whose question is not loaded is a note until it is', () => {
  const bodies = [wanted, told, settled(1, { outcome: 'denied', by: 'ada', reason: 'No' })]
  expect(rowsFor(bodies, { from: 1 })).toMatchObject([
    { kind: 'bubble' },
    { kind: 'note', key: 'k3', text: 'Denied by ada: No' },
  ])
  expect(rowsFor(bodies).map(({ kind }) => kind)).toEqual(['approval', 'bubble'])
})

test('[U30] a verdict on its way shows in the record, unless someone else was first', () => {
  const pending: Pending[] = [{ key: 'mine', text: '', at: NOON, question: idOf(1), verdict: { type: 'allow' } }]
  expect(rowsFor([wanted], { pending })).toMatchObject([{ state: 'allowed', sending: true, who: 'you' }])
  const always = rowsFor([wanted], { pending: pending.map((words) => ({ ...words, verdict: ALWAYS })) })
  expect(always).toMatchObject([{ state: 'allowed', always: true, sending: true, who: 'you' }])
  const accepted = pending.map((words) => ({ ...words, accepted: idOf(2) }))
  expect(rowsFor([wanted], { pending: accepted })).toMatchObject([{ state: 'allowed', sending: false }])
  const late = rowsFor([wanted, settled(1, { outcome: 'denied', by: 'ada' })], { pending })
  expect(late).toMatchObject([{ state: 'denied', sending: false, who: 'ada' }])
  expect(late).toHaveLength(1)
})

test('[U31] what a question offers is not among its words, and the choice is a reply', () => {
  expect(rowsFor([offered])).toMatchObject([{ kind: 'bubble', open: true, text: offered.text }])
  const chosen = settled(1, { outcome: 'answered', reply: 'Red', choices: ['Red'] })
  expect(rowsFor([offered, chosen])).toMatchObject([
    { kind: 'bubble', open: false },
    { kind: 'bubble', side: 'person', text: 'Red', delivery: 'accepted' },
  ])
})

test('[U32] whoever answered is named, unless it was done here or could have been anyone', () => {
  const who = (by: string, mine: string[] = []) => {
    const row = rowsFor([offered, settled(1, { outcome: 'answered', by, reply: 'Red' })], { mine }).at(-1)
    return row?.kind === 'bubble' ? row.who : 'no bubble'
  }
  expect(who('ada')).toBe('ada')
  expect(who('ada', ['k2'])).toBeUndefined()
  expect(who('person')).toBeUndefined()
})

test('[U29] only who is about to answer is told that someone else did, and what was half done is void', () => {
  const conversation = new Conversation(emptyConversation('work'))
  const entries = entriesOf(
    wanted,
    offered,
    settled(2, { outcome: 'answered', by: 'ada', reply: 'Red' }),
    settled(1, { outcome: 'denied', reason: 'No' }),
  )
  conversation.follow(entries.slice(0, 2))
  const attempt = conversation.attemptAt(idOf(1))
  attempt.edited = ['ls']
  conversation.follow(entries.slice(2, 3))
  expect(conversation.news).toBeUndefined()
  expect(conversation.attemptAt(idOf(1))).toBe(attempt)
  conversation.follow(entries.slice(3))
  expect(conversation.news).toBe('Denied on another device: No')
  expect(conversation.attemptAt(idOf(1)).edited).toBeUndefined()
  expect(conversation.question).toBeUndefined()
})
