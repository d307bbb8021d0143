import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Entry } from '../../../src/protocol/entry.ts'
import { emptyConversation } from '../../../src/protocol/fold.ts'
import { merge, type Page, Timeline } from './timeline.svelte.ts'

const log = Array.from({ length: 40 }, (_, n) => entry(n + 1))

function entry(n: number): Entry {
  const id = String(n).padStart(16, '0')
  return { id, conversation: 'work', at: n, body: { kind: 'message', author: 'user', by: 'person', text: `${n}` } }
}

function pageOf(entries: Entry[], has_older = false): Page {
  return { type: 'page', conversation: emptyConversation('work'), entries, has_older, has_newer: false }
}

test('[U5] however history and live delivery overlap, each entry is there once and in order', () => {
  const piece = fc.tuple(fc.nat(40), fc.nat(40)).map(([a, b]) => log.slice(Math.min(a, b), Math.max(a, b)))
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const wanted = new Set(pieces.flat().map(({ id }) => id))
      expect(pieces.reduce(merge, [])).toEqual(log.filter(({ id }) => wanted.has(id)))
    }),
  )
})

test('[U5] an entry that comes live while the first page is on its way is kept', () => {
  const timeline = new Timeline()
  timeline.awaiting = 'read'
  timeline.follow(log.slice(30, 31))
  timeline.take(pageOf(log.slice(20, 30), true))
  expect(timeline.entries).toEqual(log.slice(20, 31))
  expect(timeline).toMatchObject({ hasOlder: true, loaded: true, awaiting: undefined })
})

test('[U5] a conversation that nobody has opened collects nothing', () => {
  const timeline = new Timeline()
  timeline.follow(log)
  expect(timeline.entries).toEqual([])
})

test('[U5] an older page goes before the window and says whether there is more', () => {
  const timeline = new Timeline()
  timeline.take(pageOf(log.slice(20), true))
  timeline.take(pageOf(log.slice(10, 20), true))
  expect(timeline.hasOlder).toBe(true)
  timeline.take(pageOf(log.slice(0, 10), false))
  expect(timeline.hasOlder).toBe(false)
  expect(timeline.entries).toEqual(log)
})

test('[U4] a page that starts anew keeps its window when the newest page joins it', () => {
  const timeline = new Timeline()
  timeline.take(pageOf(log.slice(0, 20), false))
  timeline.restart()
  timeline.take(pageOf(log.slice(15, 30), true))
  expect(timeline.entries).toEqual(log.slice(0, 30))
  expect(timeline.hasOlder).toBe(false)
})

test('[U4] a page that starts anew shows no window with a gap in it', () => {
  const timeline = new Timeline()
  timeline.take(pageOf(log.slice(0, 10), false))
  timeline.restart()
  expect(timeline.entries).toHaveLength(10)
  timeline.take(pageOf(log.slice(20, 30), true))
  expect(timeline.entries).toEqual(log.slice(20, 30))
  expect(timeline.hasOlder).toBe(true)
})
