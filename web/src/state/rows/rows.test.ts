import { expect, test } from 'vitest'
import type { Body, Entry } from '../../../../src/protocol/entries/entry.ts'
import { emptyConversation, fold } from '../../../../src/protocol/entries/fold.ts'
import { idOf } from '../../../../test/support/ids.ts'
import { Conversation } from '../conversation/conversation.svelte.ts'
import { isNews } from '../list/seen.svelte.ts'
import type { Bubble } from './row.ts'
import { type Pending, rowsOf } from './rows.ts'

const NOON = new Date(2026, 10, 15, 12).getTime()
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const asked = (text: string): Body => ({ kind: 'question', by: 'agent', text })
const said = (text: string): Body => ({ kind: 'message', author: 'user', by: 'person', text })
const told = (text: string): Body => ({ kind: 'message', author: 'assistant', by: 'agent', text })
const called = (tool_name: string, tool_args = '{}', by = 'agent'): Body => ({
  kind: 'tool_call',
  by,
  tool_name,
  tool_args,
})
const returned = (tool_name: string, result: string, success = true, by = 'agent'): Body => ({
  kind: 'tool_result',
  by,
  tool_name,
  result,
  success,
})
const turn: Body = { kind: 'turn', by: 'agent' }
const answered = (question: number, reply: string): Body => ({
  kind: 'settlement',
  question: idOf(question),
  outcome: 'answered',
  by: 'person',
  reply,
})

/** The rows of a conversation with these entries, numbered from 1 and a minute apart. */
function rowsFor(bodies: Body[], { pending = [], times = [] }: { pending?: Pending[]; times?: number[] } = {}) {
  const entries = bodies.map((body, n): Entry => {
    return { id: idOf(n + 1), conversation: 'work', at: times[n] ?? NOON + n * MINUTE_MS, body }
  })
  const state = entries.reduce(fold, emptyConversation('work'))
  // A note is a row without most of what a bubble has; that is what these tests look at.
  return rowsOf({ entries, state, pending, thinking: false }).flatMap((row) =>
    'steps' in row ? row.steps : row,
  ) as Bubble[]
}

test('[U8] a message of the person shows how far it came: accepted, delivered, read', () => {
  const ticks = (...receipts: Body[]) => rowsFor([said('one'), said('two'), ...receipts]).map((row) => row.delivery)
  expect(ticks()).toEqual(['accepted', 'accepted'])
  expect(ticks({ kind: 'receipt', state: 'delivered', messages_to: idOf(1) })).toEqual(['delivered', 'accepted'])
  expect(ticks({ kind: 'receipt', state: 'read', messages_to: idOf(2) })).toEqual(['read', 'read'])
})

test('[U8] a stop shows how far it came, also when it is heard on its own', () => {
  const stop: Body = { kind: 'message', author: 'user', by: 'person', text: 'Stop', interrupt: true }
  const ticks = (...receipts: Body[]) => rowsFor([said('one'), stop, ...receipts]).map((row) => row.delivery)
  expect(ticks()).toEqual(['accepted', 'accepted'])
  expect(ticks({ kind: 'receipt', state: 'read', messages: [idOf(2)], stop: idOf(2) })).toEqual(['accepted', 'read'])
  expect(ticks({ kind: 'receipt', state: 'read', messages_to: idOf(2) })).toEqual(['read', 'read'])
})

test('[U8] a reply shows how far it came, each on its own, because calls end in any order', () => {
  const conversation = [asked('A?'), asked('B?'), answered(1, 'a'), answered(2, 'b')]
  const ticks = (...receipts: Body[]) =>
    rowsFor([...conversation, ...receipts]).flatMap(({ delivery }) => delivery ?? [])
  expect(ticks()).toEqual(['accepted', 'accepted'])
  const delivered: Body = { kind: 'receipt', state: 'delivered', replies: [idOf(4)] }
  expect(ticks(delivered)).toEqual(['accepted', 'delivered'])
  expect(ticks(delivered, { kind: 'receipt', state: 'read', replies: [idOf(4)] })).toEqual(['accepted', 'read'])
})

test('[U10] a reply names its question unless it stands right below it', () => {
  const rows = rowsFor([asked('A?'), answered(1, 'a'), asked('B?'), told('Meanwhile'), answered(3, 'b')])
  expect(rows.map((row) => row.reference)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    { id: idOf(3), text: 'B?' },
  ])
})

test('[U10] a reply to a question that is not loaded says so instead of guessing', () => {
  const entry: Entry = { id: idOf(9), conversation: 'work', at: NOON, body: answered(1, 'a') }
  const [row] = rowsOf({ entries: [entry], state: emptyConversation('work'), pending: [], thinking: false })
  expect(row).toMatchObject({ reference: { id: idOf(1), text: undefined } })
})

test('[U10] open questions are marked, and those that ended without a reply leave a note', () => {
  const ended: Body = { kind: 'settlement', question: idOf(1), outcome: 'expired', by: 'hub' }
  const rows = rowsFor([asked('A?'), asked('B?'), ended])
  expect(rows.map((row) => [row.kind, row.open])).toEqual([
    ['bubble', false],
    ['bubble', true],
    ['note', undefined],
  ])
})

test('[U10] a day is named where it begins, and a run of one side is told apart from a new start', () => {
  const times = [NOON - DAY_MS, NOON, NOON + MINUTE_MS, NOON + 2 * MINUTE_MS, NOON + 20 * MINUTE_MS]
  const rows = rowsFor([told('1'), told('2'), told('3'), said('4'), said('5')], { times })
  expect(rows.map((row) => row.day)).toEqual([times[0], times[1], undefined, undefined, undefined])
  expect(rows.map((row) => row.continued)).toEqual([false, false, true, false, false])
})

test('[U10] a change of the title leaves a note, the title a conversation begins with does not', () => {
  const rows = rowsFor([{ kind: 'title', title: 'Work' }, told('Hello'), { kind: 'title', title: 'Play' }])
  expect(rows.map(({ text }) => text)).toEqual(['Hello', 'The title is now “Play”'])
})

test('[U1] what is still being sent stands at the end, under the key it will keep as an entry', () => {
  const pending = [{ key: 'mine', text: 'Yes', at: NOON, question: idOf(1) }]
  const [, row] = rowsFor([asked('A?')], { pending })
  expect(row).toMatchObject({ key: 'mine', side: 'person', delivery: 'sending', reference: undefined })
})

test('[U23] a tool call and its result are one row, which keeps the key of the call', () => {
  const before = rowsFor([called('Bash', '{"command":"ls"}')])
  const after = rowsFor([called('Bash', '{"command":"ls"}'), told('Meanwhile'), returned('Bash', '**a.ts**')])
  expect(before).toMatchObject([{ kind: 'tool', key: idOf(1), state: 'running', result: undefined }])
  expect(after).toMatchObject([
    { kind: 'tool', key: idOf(1), name: 'Bash', args: '{"command":"ls"}', state: 'done', result: '**a.ts**' },
    { kind: 'bubble' },
  ])
})

test('[U23] a result belongs to the oldest call of its tool by the same agent that has none yet', () => {
  const rows = rowsFor([
    called('Read', '1'),
    called('Read', '2'),
    called('Bash', '3'),
    called('Read', '4', 'helper'),
    returned('Bash', 'three', false),
    returned('Read', 'one'),
    returned('Read', 'four', true, 'helper'),
  ])
  expect(rows).toMatchObject([
    { args: '1', state: 'done', result: 'one' },
    { args: '2', state: 'running', result: undefined },
    { args: '3', state: 'failed', result: 'three' },
    { args: '4', state: 'done', result: 'four' },
  ])
})

test('[U23] a result whose call is not loaded is a row until the call is, and all keys stay', () => {
  const entries = [told('Hello'), called('Bash'), returned('Bash', 'done'), told('Bye')].map((body, n): Entry => {
    return { id: idOf(n + 1), conversation: 'work', at: NOON, body }
  })
  const rows = (from: number) =>
    rowsOf({ entries: entries.slice(from), state: emptyConversation('work'), pending: [], thinking: false })
  expect(rows(2)).toMatchObject([{ kind: 'tool', key: idOf(3), args: undefined, state: 'done' }, { key: idOf(4) }])
  expect(rows(0).map(({ key }) => key)).toEqual([idOf(1), idOf(2), idOf(4)])
})

test('[U23] a call without a result is lost when its agent ends the turn, and that of another agent is not', () => {
  const rows = rowsFor([called('Bash'), called('Bash', '{}', 'agent two'), turn, returned('Bash', 'late')])
  expect(rows).toMatchObject([
    { kind: 'tool', state: 'lost' },
    { kind: 'tool', state: 'running' },
    { kind: 'note', tone: 'faint', text: 'The agent ended its turn' },
    { kind: 'tool', state: 'done', args: undefined, result: 'late' },
  ])
})

test('[U23] thinking, progress and errors are rows of their own', () => {
  const rows = rowsFor([
    { kind: 'thinking', by: 'agent', reasoning: 'Hm' },
    { kind: 'progress', by: 'agent', text: 'Half' },
    { kind: 'error', by: 'agent', error: 'Out of tokens' },
  ])
  expect(rows).toMatchObject([
    { kind: 'thought', key: idOf(1), text: 'Hm' },
    { kind: 'note', key: idOf(2), text: 'Half' },
    { kind: 'note', key: idOf(3), text: 'Out of tokens', tone: 'bad' },
  ])
})

test('[U23] of all that an agent does, only an error is news', () => {
  const deeds: Body[] = [
    called('Bash'),
    returned('Bash', 'ok', false),
    { kind: 'thinking', by: 'agent', reasoning: 'Hm' },
    { kind: 'progress', by: 'agent', text: 'Half' },
    { kind: 'error', by: 'agent', error: 'Out of tokens' },
    turn,
  ]
  const news = deeds.filter((body) => isNews({ id: idOf(1), conversation: 'work', at: NOON, body }))
  expect(news.map(({ kind }) => kind)).toEqual(['error'])
})

test('[U23] the agent is shown at work from the first word of the person to the end of the turn', () => {
  const working = (...bodies: Body[]) => {
    const conversation = new Conversation(emptyConversation('work'))
    conversation.agent = 'working'
    conversation.timeline.loaded = true
    conversation.follow(bodies.map((body, n): Entry => ({ id: idOf(n + 1), conversation: 'work', at: NOON, body })))
    const shown = () => conversation.rows.at(-1)?.kind === 'thinking'
    const atWork = shown()
    conversation.agent = 'waiting'
    expect(shown()).toBe(false)
    return atWork
  }
  expect(working(said('Go'))).toBe(true)
  expect(working(said('Go'), called('Bash'))).toBe(true)
  expect(working(said('Go'), called('Bash'), returned('Bash', 'ok'))).toBe(true)
  expect(working(said('Go'), called('Bash'), returned('Bash', 'ok'), turn)).toBe(false)
  expect(working(said('Go'), { kind: 'error', by: 'agent', error: 'No' })).toBe(false)
  expect(working(told('Hello'))).toBe(false)
})

test('[U24] a message keeps its mime type, whoever said it', () => {
  const rows = rowsFor([
    { ...told('{}'), mime: 'application/json' } as Body,
    { ...said('*'), mime: 'text/plain' } as Body,
    told('*'),
  ])
  expect(rows.map(({ mime }) => mime)).toEqual(['application/json', 'text/plain', undefined])
})

test('[U71] what this version does not know is a quiet note that hides nothing,', () => {
  const unknown: Body = { kind: 'unknown', name: 'po\u202ell', content: { kind: 'po\u202ell' } }
  const [, note] = rowsFor([told('Hello'), unknown])
  expect(note).toMatchObject({
    kind: 'note',
    tone: 'faint',
    text: 'Update Parley to see this (po\\u202ell)',
  })
  expect(isNews({ id: idOf(1), conversation: 'work', at: NOON, body: unknown })).toBe(false)
})
