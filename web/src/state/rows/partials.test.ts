import { expect, test } from 'vitest'
import type { Body, Entry } from '../../../../src/protocol/entries/entry.ts'
import { emptyConversation } from '../../../../src/protocol/entries/fold.ts'
import type { Partial } from '../../../../src/protocol/frames/driving.ts'
import { idOf } from '../../../../test/support/ids.ts'
import { Conversation } from '../conversation/conversation.svelte.ts'
import { Partials } from './partials.svelte.ts'
import type { Bubble, Musing, Tool } from './row.ts'

const by = 'agent'
const piece = (from: number, text: string, id = 'm1', kind: Partial['kind'] = 'message'): Partial => {
  return { id, kind, from, text }
}
const entry = (n: number, body: Body, key?: string): Entry => {
  return { id: idOf(n), conversation: 'work', at: n, key, body }
}
const told = (text: string): Body => ({ kind: 'message', author: 'assistant', by, text })

/** A conversation whose page is there, and in which an agent is at work. */
function conversationWith(...entries: Entry[]): Conversation {
  const conversation = new Conversation(emptyConversation('work'))
  conversation.timeline.await('read', 'end')
  conversation.take({
    type: 'page',
    key: 'read',
    conversation: emptyConversation('work'),
    entries: [],
    has_older: false,
    has_newer: false,
  })
  conversation.agent = 'working'
  conversation.driven = { state: 'working' }
  conversation.follow(entries)
  return conversation
}

const textOf = ({ list }: Partials) => list.map(({ text }) => text)

test('[U191] what is told of a text is put together, and told anew it is the same text once', () => {
  const partials = new Partials()
  partials.take({ by, partials: [piece(0, 'The '), piece(4, 'tests')] })
  partials.take({ by, partials: [piece(9, ' pass')] })
  expect(textOf(partials)).toEqual(['The tests pass'])
  partials.take({ by, partials: [piece(0, 'The tests pass now')] })
  expect(textOf(partials)).toEqual(['The tests pass now'])
  expect(partials.list[0]?.rewritten).toBe(0)
  partials.take({ by, partials: [piece(4, 'build fails')] })
  expect(textOf(partials)).toEqual(['The build fails'])
  expect(partials.list[0]?.rewritten).toBe(1)
})

test('[U191] after a gap what is known goes on, until all of it is told', () => {
  const partials = new Partials()
  partials.take({ by, partials: [piece(40, 'the end')] })
  partials.take({ by, partials: [piece(47, ' of it')] })
  expect(textOf(partials)).toEqual(['the end of it'])
  partials.take({ by, partials: [piece(0, 'All of it')] })
  expect(textOf(partials)).toEqual(['All of it'])
})

test('[U190] a text that grows is the last row, and the finished message takes its place under the same key', () => {
  const conversation = conversationWith(entry(1, told('Before')))
  expect(conversation.rows.map(({ kind }) => kind)).toEqual(['bubble', 'thinking'])
  conversation.partials.take({ by, partials: [piece(0, 'Now')] })
  const [, growing] = conversation.rows as Bubble[]
  expect(conversation.rows).toHaveLength(2)
  expect(growing).toMatchObject({ kind: 'bubble', key: 'm1', side: 'agent', text: '' })
  expect(growing?.growing?.text).toBe('Now')
  conversation.follow([entry(2, told('Now and then'), 'm1')])
  // The drawn part can stay as it is, with the end that only the message has.
  expect(growing?.growing?.text).toBe('Now and then')
  expect(conversation.rows.slice(0, 2)).toMatchObject([{ text: 'Before' }, { key: 'm1', text: 'Now and then' }])
  expect((conversation.rows[1] as Bubble).growing).toBeUndefined()
  // This was on its way meanwhile.
  conversation.partials.take({ by, partials: [piece(3, ' late')] })
  expect(conversation.partials.list).toEqual([])
})

test('[U190] rows are not made anew while a text grows', () => {
  const conversation = conversationWith()
  conversation.partials.take({ by, partials: [piece(0, 'One')] })
  const { list } = conversation.partials
  conversation.partials.take({ by, partials: [piece(3, ' two')] })
  expect(conversation.partials.list).toBe(list)
})

test('[U190] what became nothing is gone, and so is all of it when nobody drives it any more', () => {
  const partials = new Partials()
  partials.take({ by, partials: [piece(0, 'a'), piece(0, 'b', 'm2')] })
  partials.take({ by, partials: [], gone: ['m1'] })
  expect(textOf(partials)).toEqual(['b'])
  partials.clear()
  expect(textOf(partials)).toEqual([])
})

test('[U192] thoughts grow in a row of their own, output under its call until the result', () => {
  const call = { kind: 'tool_call', by, tool_name: 'execute', tool_args: '{}', call_id: 'c1' } as const
  const conversation = conversationWith(entry(1, call))
  conversation.partials.take({ by, partials: [piece(0, 'one\n', 'c1', 'output'), piece(0, 'Hm', 't1', 'thinking')] })
  const [tool, musing] = conversation.rows as [Tool, Musing]
  expect(conversation.rows).toHaveLength(2)
  expect(tool.output?.text).toBe('one\n')
  expect(musing).toMatchObject({ kind: 'musing', key: 't1' })
  conversation.partials.take({ by, partials: [piece(4, 'two\n', 'c1', 'output')] })
  expect(tool.output?.text).toBe('one\ntwo\n')
  conversation.follow([
    entry(2, { kind: 'thinking', by, reasoning: 'Hm.' }, 't1'),
    entry(3, { kind: 'tool_result', by, tool_name: 'execute', result: 'one\ntwo\n', success: true, call_id: 'c1' }),
  ])
  expect(conversation.partials.list).toEqual([])
  expect(conversation.rows.slice(0, 2)).toMatchObject([
    { state: 'done', output: undefined },
    { kind: 'thought', key: 't1' },
  ])
})

test('[U191] in the next turn a call may have the id of an earlier one', () => {
  const conversation = conversationWith()
  conversation.follow([entry(1, { kind: 'tool_result', by, tool_name: 'x', result: '', success: true, call_id: 'c1' })])
  conversation.partials.take({ by, partials: [piece(0, 'late', 'c1', 'output')] })
  expect(conversation.partials.list).toEqual([])
  conversation.follow([entry(2, { kind: 'turn', by })])
  conversation.partials.take({ by, partials: [piece(0, 'new', 'c1', 'output')] })
  expect(textOf(conversation.partials)).toEqual(['new'])
})
