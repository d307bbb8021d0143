import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Entry } from '../../../../src/protocol/entries/entry.ts'
import { emptyConversation } from '../../../../src/protocol/entries/fold.ts'
import { idOf } from '../../../../test/support/ids.ts'
import { merge, type Page, Timeline } from './timeline.svelte.ts'

const log = Array.from({ length: 40 }, (_, n) => entry(n + 1))

function entry(n: number): Entry {
  return {
    id: idOf(n),
    conversation: 'work',
    at: n,
    body: { kind: 'message', author: 'user', by: 'person', text: `${n}` },
  }
}

function pageOf(entries: Entry[], has_older = false, has_newer = false, key?: string): Page {
  return { type: 'page', key, conversation: emptyConversation('work'), entries, has_older, has_newer }
}

/** Reads the page that continues the window at this side. */
function readOn(timeline: Timeline, side: 'older' | 'newer', page: (place: string) => Page) {
  const place = timeline.edge(side)
  if (!place || place === 'end') throw new Error('There is nothing to read')
  timeline.await('read', place)
  timeline.take({ ...page(Object.values(place)[0]), key: 'read' })
}

/** A window on these entries that lies elsewhere than at the end. */
function windowOn(from: number, to: number): Timeline {
  const timeline = new Timeline()
  timeline.await('jump', { around: log[from]?.id ?? '' })
  timeline.take(pageOf(log.slice(from, to), from > 0, to < log.length, 'jump'))
  return timeline
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
  timeline.await('read', 'end')
  timeline.follow(log.slice(30, 31))
  timeline.take(pageOf(log.slice(20, 30), true, false, 'read'))
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
  readOn(timeline, 'older', () => pageOf(log.slice(10, 20), true))
  expect(timeline.hasOlder).toBe(true)
  readOn(timeline, 'older', () => pageOf(log.slice(0, 10), false))
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

test('[U4] a page that starts anew leaves alone what is being read, and knows that there is more', () => {
  const timeline = new Timeline()
  timeline.take(pageOf(log.slice(0, 10), false))
  timeline.leave()
  timeline.restart()
  timeline.take(pageOf(log.slice(20, 30), true))
  expect(timeline.entries).toEqual(log.slice(0, 10))
  expect(timeline.hasNewer).toBe(true)
})

test('[U60] what is live is appended only where the window has the end, and counted for whoever is elsewhere', () => {
  const timeline = windowOn(10, 20)
  timeline.leave()
  timeline.follow(log.slice(38, 40))
  expect(timeline.entries).toEqual(log.slice(10, 20))
  expect(timeline.missed).toBe(2)
  timeline.stay()
  expect(timeline.missed).toBe(0)
})

test('[U60] what is said while the last page is on its way is neither lost nor shown before what it follows', () => {
  const timeline = windowOn(10, 20)
  const place = timeline.edge('newer')
  if (!place) throw new Error('There is nothing to read')
  timeline.await('read', place)
  timeline.follow(log.slice(35, 36))
  expect(timeline.entries).toEqual(log.slice(10, 20))
  timeline.take(pageOf(log.slice(20, 35), true, false, 'read'))
  expect(timeline.entries).toEqual(log.slice(10, 36))
  timeline.follow(log.slice(36))
  expect(timeline.entries).toEqual(log.slice(10))
})

test('[U60] a page for an end that has moved meanwhile is not taken', () => {
  const timeline = windowOn(10, 30)
  const place = timeline.edge('newer')
  if (!place) throw new Error('There is nothing to read')
  timeline.await('read', place)
  timeline.drop('newer', 5)
  timeline.take(pageOf(log.slice(30), true, false, 'read'))
  expect(timeline.entries).toEqual(log.slice(10, 25))
  expect(timeline).toMatchObject({ hasNewer: true, awaiting: undefined })
})

test('[U60] however one moves through the conversation, the window has no gap and knows its ends', () => {
  const move = fc.record({
    verb: fc.constantFrom('older', 'newer', 'drop older', 'drop newer', 'end', 'jump'),
    n: fc.nat(39),
  })
  fc.assert(
    fc.property(fc.array(move), (moves) => {
      const timeline = windowOn(15, 25)
      const at = (id: string) => log.findIndex((entry) => entry.id === id)
      for (const { verb, n } of moves) {
        if (verb === 'older' && timeline.edge('older'))
          readOn(timeline, 'older', (id) => pageOf(log.slice(Math.max(0, at(id) - 7), at(id)), at(id) > 7, true))
        if (verb === 'newer' && timeline.edge('newer'))
          readOn(timeline, 'newer', (id) => pageOf(log.slice(at(id) + 1, at(id) + 8), true, at(id) + 8 < log.length))
        if (verb.startsWith('drop') && timeline.entries.length > n)
          timeline.drop(verb === 'drop older' ? 'older' : 'newer', n)
        if (verb === 'end') timeline.take(pageOf(log.slice(30), true))
        if (verb === 'jump') {
          timeline.await('jump', { around: log[n]?.id ?? '' })
          timeline.take(pageOf(log.slice(Math.max(0, n - 3), n + 4), n > 3, n + 4 < log.length, 'jump'))
        }
        const from = at(timeline.entries[0]?.id ?? '')
        expect(timeline.entries).toEqual(log.slice(from, from + timeline.entries.length))
        expect([timeline.hasOlder, timeline.hasNewer]).toEqual([from > 0, from + timeline.entries.length < log.length])
      }
    }),
  )
})

test('[U60] a conversation that nobody looks at any more keeps little', () => {
  const many = Array.from({ length: 1000 }, (_, n) => entry(n + 1))
  const timeline = new Timeline()
  timeline.take(pageOf(many.slice(0, 60), false))
  for (const one of many.slice(60)) timeline.follow([one])
  expect(timeline.entries.length).toBeLessThan(300)
  expect(timeline.entries.at(-1)).toEqual(many.at(-1))
  timeline.drop('newer', 5)
  timeline.rest()
  expect(timeline).toMatchObject({ entries: [], loaded: false })
})
