import { expect, onTestFinished, test, vi } from 'vitest'
import type { Hit, TimelineFrame } from '../../../../src/protocol/frames/timeline.ts'
import type { TimelineCommand } from '../../../../src/protocol/frames/timeline-command.ts'
import { piecesOf } from '../../search/items.ts'
import { Search } from './search.svelte.ts'

type Request = Extract<TimelineCommand, { type: 'search' }>

function open() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const sent: Request[] = []
  const search = new Search((request) => sent.push(request))
  return { sent, search, type, answer }

  function type(query: string) {
    search.type(query)
    vi.advanceTimersByTime(200)
    return sent.at(-1) as Request
  }

  function answer({ key }: Request, ids: string[], more: Partial<Extract<TimelineFrame, { type: 'found' }>> = {}) {
    search.take({ type: 'found', key, hits: ids.map(hitOf), has_more: false, ...more })
  }
}

const hitOf = (id: string): Hit => ({
  id,
  conversation: id.slice(0, 1),
  title: `Title ${id.slice(0, 1)}`,
  at: 0,
  kind: 'message',
  snippet: { text: 'a deploy now', ranges: [[2, 8]] },
})

test('[X7] a pause in typing asks, once, and the answer to an older query is left alone', () => {
  const { sent, search, type, answer } = open()
  for (const query of ['d', 'de', 'dep']) search.type(query)
  expect(sent).toEqual([])
  const first = type('depl')
  expect(sent.map(({ query }) => query)).toEqual(['depl'])
  const second = type('deploy')
  answer(first, ['a1'])
  expect([search.hits, search.busy]).toEqual([[], true])
  answer(second, ['a2'])
  expect([search.hits.map(({ id }) => id), search.busy, search.answered]).toEqual([['a2'], false, 'deploy'])
  answer(second, ['a3'])
  expect(search.hits.map(({ id }) => id)).toEqual(['a2'])
  search.type(' ')
  expect([search.hits, search.busy, sent.length]).toEqual([[], false, 2])
})

test('[X7] older hits come below, from where the last page ended', () => {
  const { sent, search, type, answer } = open()
  answer(type('deploy'), ['a9'], { has_more: true, next: 'a9' })
  search.more()
  search.more()
  expect(sent).toHaveLength(2)
  expect(sent[1]).toMatchObject({ query: 'deploy', before: 'a9' })
  answer(sent[1] as Request, ['a1'])
  expect([search.hits.map(({ id }) => id), search.hasMore]).toEqual([['a9', 'a1'], false])
  search.more()
  expect(sent).toHaveLength(2)
})

test('[X7] while the hub is indexing the same is asked again, until the search is closed or the hub refuses', () => {
  const { sent, search, type, answer } = open()
  answer(type('deploy'), [], { indexing: true })
  expect([search.indexing, sent.length]).toEqual([true, 1])
  vi.advanceTimersByTime(1500)
  expect(sent).toHaveLength(2)
  answer(sent[1] as Request, ['a1'], { indexing: true })
  search.close()
  vi.advanceTimersByTime(5000)
  expect(sent).toHaveLength(2)
  const wrong = type('x')
  expect(search.refuse('other', 'No')).toBe(false)
  expect(search.refuse(wrong.key, 'Too long')).toBe(true)
  expect([search.problem, search.hits]).toEqual(['Too long', []])
  answer(type('y'), ['a1'])
  expect(search.problem).toBeUndefined()
})

test('[X7] the pieces of a line are marked', () => {
  expect(piecesOf(hitOf('a1').snippet)).toEqual([
    { text: 'a ', matches: false },
    { text: 'deploy', matches: true },
    { text: ' now', matches: false },
  ])
  expect(piecesOf({ text: 'all', ranges: [[0, 3]] })).toEqual([{ text: 'all', matches: true }])
})
