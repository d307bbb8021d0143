import { expect, test } from 'vitest'
import type { Attachment } from '../../../../src/protocol/entries/attachment.ts'
import type { Body, Decided, Entry } from '../../../../src/protocol/entries/entry.ts'
import { emptyConversation, fold } from '../../../../src/protocol/entries/fold.ts'
import { idOf } from '../../../../test/support/ids.ts'
import { decidedWords } from '../../text/decided.ts'
import { stateOf } from './records.ts'
import { type Pending, rowsOf } from './rows.ts'
import { summaryOf } from './steps.ts'

const by = 'agent'
const server = 'everything'
const rule = { id: 'no-writes', line: 12, note: 'Only reads' }
const NOON = new Date(2026, 10, 15, 12).getTime()
const approval = { tool_name: 'everything_echo', input: '{"message":"hi"}', server, call_id: 'a' }
const asked: Body = { kind: 'question', by, text: 'May I?', approval: { ...approval, reason: 'It writes' } }
const refusal: Decided = { decision: 'deny_continue', rule, reason: 'Nothing is written here' }

function called(call_id: string, more: object = {}): Body {
  return { kind: 'tool_call', by, tool_name: 'everything_echo', tool_args: '{}', call_id, server, ...more }
}

function returned(call_id: string, more: object = {}): Body {
  return {
    kind: 'tool_result',
    by,
    tool_name: 'everything_echo',
    result: 'hi',
    success: true,
    call_id,
    server,
    ...more,
  }
}

function stateAfter(bodies: Body[]) {
  return entriesOf(bodies).reduce(fold, emptyConversation('work'))
}

function entriesOf(bodies: Body[]): Entry[] {
  return bodies.map((body, n) => ({ id: idOf(n + 1), key: `k${n + 1}`, conversation: 'work', at: NOON + n, body }))
}

function rowsFor(bodies: Body[], pending: Pending[] = [], mine: string[] = []) {
  const state = stateAfter(bodies)
  return rowsOf({ entries: entriesOf(bodies), state, pending, thinking: false, mine: new Set(mine) })
}

/** The text of the approval's record. */
function said(bodies: Body[], pending: Pending[] = [], mine: string[] = []): string {
  const [row] = rowsFor([asked, ...bodies], pending, mine)
  return row?.kind === 'approval' ? stateOf(row) : ''
}

test('[U212] the record says for whom it is always allowed, from the press on', () => {
  const verdict = { type: 'allow', always: true, scope: 'agent' } as const
  const pending: Pending[] = [{ key: 'mine', text: '', at: NOON, question: idOf(1), verdict }]
  expect(said([], pending)).toBe('Always allowed for this agent by you')
  const end = { kind: 'settlement', question: idOf(1), outcome: 'approved', by: 'ada', always: 'granted' } as const
  expect(said([{ ...end, scope: 'everyone' }], [], ['k2'])).toBe('Always allowed for everyone by you')
  expect(said([{ ...end, scope: 'agent' }])).toBe('Always allowed for this agent by ada')
  expect(said([{ ...end, scope: 'agent', input: '{}' }])).toBe(
    'Always allowed for this agent, this time with changes by ada',
  )
  expect(said([end])).toBe('Always allowed by ada')
})

test('[G154] the record of a call that was allowed and is denied by a rule says so, to who allowed it too', () => {
  const reason = 'Allowed by ada, but rule no-writes of the policy forbids it: Nothing is written here'
  const end = { kind: 'settlement', question: idOf(1), outcome: 'denied', by: 'policy', reason } as const
  const denied: Body = { ...end, decided: { ...refusal, reason } }
  for (const mine of [[], ['k2']]) {
    expect(said([denied], [], mine)).toBe('Denied by the policy')
    expect(rowsFor([asked, denied], [], mine)[0]).toMatchObject({ state: 'denied', reason })
  }
})

test('[U210] why a call is asked about is no reason of its verdict', () => {
  expect(rowsFor([asked])[0]).not.toHaveProperty('reason')
  expect(rowsFor([asked])[0]).toMatchObject({ tool: 'echo', server, call_id: 'a' })
})

test('[U213] a call is one row with its server, what decided about it, its duration and its file', () => {
  const decided: Decided = { decision: 'allow', by: 'ada' }
  const file: Attachment = { hash: 'a'.repeat(64), name: 'result.txt', mime: 'text/plain', size: 9 }
  const rows = rowsFor([
    called('a', { masked: 1 }),
    called('b'),
    returned('a', { decided, duration_ms: 340, masked: 2, attachments: [file] }),
  ])
  expect(rows).toMatchObject([
    { kind: 'tool', server, decided, duration_ms: 340, masked: 3, attachments: [file], state: 'done' },
    { kind: 'tool', server, state: 'running' },
  ])
  expect(rows[1]).not.toHaveProperty('decided')
})

test('[U214] a denied call looks like neither a failed nor a lost one, whoever denied it', () => {
  const [row] = rowsFor([called('a', { decided: refusal }), returned('a', { success: false, decided: refusal })])
  expect(row).toMatchObject({ kind: 'tool', state: 'denied', decided: refusal, result: 'hi' })
  expect(rowsFor([called('a', { decided: refusal }), { kind: 'turn', by }])[0]).toMatchObject({ state: 'denied' })
  const never: Body = { kind: 'refused_call', by, approval, decided: refusal }
  expect(rowsFor([never])).toMatchObject([
    { kind: 'tool', state: 'denied', decided: refusal, server, result: undefined },
  ])
  const steps = [called('a', { decided: refusal }), called('b'), returned('b')]
  const [first, second] = rowsFor(steps)
  if (first?.kind !== 'tool' || second?.kind !== 'tool') throw new Error('There is no row')
  expect(summaryOf([first, second])).toMatchObject({ failed: 0, denied: 1 })
})

test('[U214] a call that a rule allows names the rule and nobody', () => {
  const decided: Decided = { decision: 'allow', rule }
  const row = rowsFor([{ kind: 'permitted_call', by, approval, granted_by: 'policy', decided }])[0]
  expect(row).toMatchObject({ kind: 'tool', state: 'permitted', who: undefined, decided })
})

test('[U215] a late result finds its call turns later, and an open approval lets its call wait as long', () => {
  const late = rowsFor([called('a'), { kind: 'turn', by }, returned('a', { late: true })])
  expect(late).toMatchObject([{ kind: 'tool', state: 'done', late: true, result: 'hi' }, { kind: 'note' }])
  expect(rowsFor([called('a'), asked, { kind: 'turn', by }])).toMatchObject([{ call: { state: 'waiting' } }, {}])
})

test('[U215] what the agent is told of a late result is a note, and nobody’s words', () => {
  const text = 'everything_echo was allowed and has run: hi'
  const told: Body = { kind: 'message', author: 'user', by: 'parley', text, call_id: 'a' }
  expect(rowsFor([told])).toMatchObject([{ kind: 'note', text: `The agent was told: ${text}` }])
  expect(stateAfter([told])).not.toHaveProperty('preview_of', 'person')
})

test('[U213] what decided about a call is said in words', () => {
  expect(decidedWords({ decision: 'allow', rule })).toBe('Allowed by the rule no-writes (line 12): Only reads')
  expect(decidedWords({ decision: 'allow', rule: { id: '#3' } })).toBe('Allowed by the rule #3')
  expect(decidedWords({ decision: 'allow', by: 'ada' })).toBe('Allowed by ada')
  expect(decidedWords({ decision: 'allow', by: 'person' })).toBe('Allowed by a person')
  expect(decidedWords({ decision: 'allow', by: 'ada', always: true })).toBe('Always allowed here by ada')
  expect(decidedWords({ decision: 'allow' })).toBe('Allowed, as it only reads')
  expect(decidedWords(refusal)).toBe('Denied by the rule no-writes (line 12): Only reads')
  expect(decidedWords({ decision: 'deny_continue', by: 'deadline' })).toBe('Denied, as nobody decided in time')
  expect(decidedWords({ decision: 'deny_abort', by: 'ada' })).toBe('Denied by ada, which ended the turn')
  expect(decidedWords({ decision: 'deny_abort', rule: { id: '#3' } })).toBe(
    'Denied by the rule #3, which ended the turn',
  )
})

test('[G191] what an agent tells under the id or the name of a call of the gateway changes nothing of it', () => {
  const forged = { kind: 'tool_result', by, tool_name: 'everything_echo', result: 'Fine', success: true } as const
  const told: Body = { kind: 'tool_call', by, tool_name: 'everything_echo', tool_args: '{"x":1}', call_id: 'a' }
  const [row] = rowsFor([called('a'), told, { ...forged, call_id: 'a' }, forged])
  const [own] = row?.kind === 'steps' ? row.steps : []
  expect(own).toMatchObject({ kind: 'tool', args: '{}', state: 'running', result: undefined })
})
