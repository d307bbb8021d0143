import { expect, test } from 'vitest'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import type { Body, Entry } from '../../protocol/entries/entry.ts'
import { LONGEST_PARTIAL } from './growing-text.ts'
import { createPartials, type Grown } from './partials.ts'

const WHILE_MS = 50

function openPartials() {
  const clock = fakeClock()
  const told: Grown[] = []
  const partials = createPartials({ clock, grown: (grown) => told.push(grown) })
  return { ...partials, told, later, grow, add }

  /** The texts that everyone is told in a while. */
  function later(): Grown[] {
    clock.advance(WHILE_MS)
    return told.splice(0)
  }

  function grow(id: string, from: number, text: string, conversation = 'work') {
    partials.show(conversation, { by: 'bob', partials: [{ id, kind: 'message', from, text }] })
  }

  function add(body: Body, key?: string) {
    partials.happened({ id: '0000000000000001', conversation: 'work', at: 0, key, body } satisfies Entry)
  }
}

const partial = (id: string, from: number, text: string) => ({ id, kind: 'message', from, text })

test('[O25] what grew in a while is told at once for each conversation, and only what is new', () => {
  const { grow, later, told } = openPartials()
  grow('a', 0, 'One')
  grow('a', 3, ' two')
  grow('b', 0, 'Other')
  grow('c', 0, 'Elsewhere', 'home')
  expect(told).toEqual([])
  expect(later()).toEqual([
    { conversation: 'work', by: 'bob', partials: [partial('a', 0, 'One two'), partial('b', 0, 'Other')] },
    { conversation: 'home', by: 'bob', partials: [partial('c', 0, 'Elsewhere')] },
  ])
  grow('a', 7, ' three')
  grow('a', 13, '!')
  expect(later()).toEqual([{ conversation: 'work', by: 'bob', partials: [partial('a', 7, ' three!')] }])
  expect(later()).toEqual([])
})

test('[O25] a text that is shown again from an earlier place is told from there', () => {
  const { grow, later, soFar } = openPartials()
  grow('a', 0, 'One two')
  later()
  grow('a', 4, '2')
  grow('a', 5, ' three')
  expect(later()).toMatchObject([{ partials: [partial('a', 4, '2 three')] }])
  grow('a', 0, '')
  expect(later()).toMatchObject([{ partials: [partial('a', 0, '')] }])
  expect(soFar('work')).toMatchObject({ partials: [partial('a', 0, '')] })
})

test('[O27] a text ends with its entry, the result of its call, the turn, or when it became nothing', () => {
  const { grow, later, add, show, soFar, growing } = openPartials()
  const grown = ['answer', 'call', 'nothing', 'left']
  for (const id of grown) grow(id, 0, 'Text')
  later()
  add({ kind: 'message', author: 'assistant', by: 'bob', text: 'Text' }, 'answer')
  add({ kind: 'tool_result', by: 'bob', tool_name: 'sh', result: 'Text', success: true, call_id: 'call' }, 'other')
  expect(later()).toEqual([])
  expect(soFar('work')?.partials.map(({ id }) => id)).toEqual(['nothing', 'left'])
  show('work', { by: 'bob', partials: [], gone: ['nothing', 'unknown'] })
  expect(later()).toEqual([{ conversation: 'work', by: 'bob', partials: [], gone: ['nothing'] }])
  add({ kind: 'turn', by: 'bob' })
  expect(later()).toMatchObject([{ partials: [], gone: ['left'] }])
  expect(soFar('work')).toBeUndefined()
  expect(growing()).toEqual([])
})

test('[O27] what is shown late of a finished text is not shown', () => {
  const { grow, later, add } = openPartials()
  grow('answer', 0, 'Text')
  add({ kind: 'message', author: 'assistant', by: 'bob', text: 'Text' }, 'answer')
  grow('answer', 4, ' more')
  expect(later()).toEqual([])
})

test('[O28] a gap and too many texts are refused and change nothing', () => {
  const { grow, later, show, soFar } = openPartials()
  grow('a', 0, 'One')
  later()
  const more = { id: 'a', kind: 'message' as const, from: 3, text: ' two' }
  expect(() => show('work', { by: 'eve', partials: [more, { ...more, from: 8 }], gone: ['a'] })).toThrow(
    'The text "a" is known up to 3; show it from there, or from 0',
  )
  expect(() => grow('b', 1, 'Text')).toThrow('The text "b" is known up to 0; show it from there, or from 0')
  const many = Array.from({ length: 32 }, (_, n) => ({ ...more, id: `t${n}`, from: 0 }))
  expect(() => show('work', { by: 'eve', partials: many })).toThrow(
    'At most 32 texts can grow in one conversation at once; finish one first',
  )
  expect(later()).toEqual([])
  expect(soFar('work')).toEqual({ conversation: 'work', by: 'bob', partials: [partial('a', 0, 'One')] })
})

test('[O28] of a long text the beginning is shown, however long it grows', () => {
  const { grow, later, soFar } = openPartials()
  const long = 'x'.repeat(LONGEST_PARTIAL - 1)
  grow('a', 0, long)
  later()
  grow('a', long.length, 'abc')
  expect(later()).toMatchObject([{ partials: [partial('a', long.length, 'a')] }])
  grow('a', long.length + 3, 'def')
  grow('a', long.length + 6, 'ghi')
  expect(later()).toEqual([])
  expect(soFar('work')?.partials[0]?.text).toHaveLength(LONGEST_PARTIAL)
  expect(() => grow('a', long.length + 10, 'x')).toThrow('is known up to')
})
