import { expect, test } from 'vitest'
import type { Body, Entry, SettledEntry } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import { createOutcome } from './outcome.ts'
import { askerOf, isAborted, ownOutcome } from './own-outcome.ts'
import { createOwnership } from './ownership.ts'
import { createWaiters } from './waiters.ts'

const CALL = { by: 'codex', asker: 'bot', folder: '/work', visit: 'v1', approval: { tool_name: 'x', input: '{}' } }
const decided = { decision: 'deny_abort', rule: { id: 'no' } } as const

test('[A15] [A40] a call that nobody was asked about has its outcome in itself', () => {
  const granted = { kind: 'permitted_call', ...CALL, granted_by: 'ada' } as Body
  const settlement = { kind: 'settlement', question: '1' }
  expect(ownOutcome('1', granted)).toEqual({ ...settlement, outcome: 'approved', by: 'ada', always: 'used' })
  const allowed = { decision: 'allow' } as const
  expect(ownOutcome('1', { ...granted, granted_by: 'policy', decided: allowed } as Body)).toEqual({
    ...{ ...settlement, outcome: 'approved', by: 'policy', decided: allowed },
  })
  const refused = { kind: 'refused_call', ...CALL, decided } as Body
  const denied = { ...settlement, outcome: 'denied', by: 'policy' }
  expect(ownOutcome('1', refused)).toEqual({ ...denied, decided, reason: 'A rule of the policy denies it' })
  const why = { ...decided, reason: 'Not today' }
  expect(ownOutcome('1', { ...refused, decided: why } as Body)).toEqual({
    ...denied,
    decided: why,
    reason: 'Not today',
  })
  expect(ownOutcome('1', { kind: 'question', ...CALL, text: 'x' } as Body)).toBeUndefined()
})

test('[A14] who asked is known of each call, and of nothing else', () => {
  for (const kind of ['question', 'permitted_call', 'refused_call'])
    expect(askerOf({ kind, ...CALL } as Body)).toMatchObject({ asker: 'bot', agent: 'codex', visit: 'v1' })
  expect(askerOf({ kind: 'message', by: 'codex' } as Body)).toBeUndefined()
})

test('[A44] only a rule that ends the turn ends it', () => {
  expect([isAborted({ decided }), isAborted({ decided: { decision: 'deny_continue' } }), isAborted({})]).toEqual([
    true,
    false,
    false,
  ])
})

test('[Q85] of what an agent says it got only that counts which is there, and is its own', async () => {
  const said = (id: string, body: object, conversation = 'work') => [id, { id, conversation, body } as Entry] as const
  const entries = new Map([
    said('1', { kind: 'question', by: 'codex', asker: 'bot' }),
    said('2', { kind: 'question', by: 'codex', asker: 'somebody' }),
    said('3', { kind: 'settlement', question: '1', reply: 'Yes' }),
    said('4', { kind: 'settlement', question: '2', reply: 'No' }),
    said('5', { kind: 'settlement', question: '1', reply: 'Yes' }, 'other'),
    said('6', { kind: 'revision', message: '0' }),
    said('7', { kind: 'revision', message: '0' }, 'other'),
    said('8', { kind: 'message' }),
  ])
  const state = { messages: { last: '8' }, stop: { last: '2' } } as ConversationState
  const ownership = createOwnership({
    entry: async (id) => entries.get(id),
    stateOf: async () => state,
    stateAround: async () => state,
    knownAround: () => undefined,
  })
  const { recognise } = ownership.of({ asker: 'bot' }, () => true)
  const all = [...entries.keys(), '9']
  expect(await recognise('work', { messages_to: '9', ahead: all, replies: all, stop: '9' })).toEqual({
    ...{ messages_to: '8', ahead: ['6'], replies: ['3'], stop: '2' },
  })
  expect(await recognise('work', { ahead: ['6'], replies: [], stop: '1' })).toMatchObject({ ahead: ['6'], stop: '1' })
  expect(await recognise('work', { messages_to: '7', replies: ['3'] })).toStrictEqual({
    ...{ messages_to: '7', replies: ['3'], stop: undefined },
  })
})

test('[Q7] a question whose conversation was forgotten meanwhile is unknown', async () => {
  const outcome = createOutcome({
    views: { read: async () => [] },
    projection: { reached: async () => {}, placeOf: () => undefined },
    waiters: createWaiters(),
    conversationOf: async () => 'work',
  })
  const question = '0000000000000001'
  await expect(outcome(question, new AbortController().signal)).rejects.toMatchObject({ code: 'unknown_question' })
})

test('[Q7] a question that the hub reads only after it was asked for is waited for', async () => {
  const question = '0000000000000001'
  let place: string | undefined
  const waiters = createWaiters()
  const outcome = createOutcome({
    views: { read: async () => expect.unreachable() },
    projection: {
      placeOf: () => place,
      async reached() {
        place = 'work'
        setImmediate(() => waiters.settled(question, { id: '2' } as SettledEntry))
      },
    },
    waiters,
    conversationOf: async () => 'work',
  })
  expect(await outcome(question, new AbortController().signal)).toEqual({ id: '2' })
})
