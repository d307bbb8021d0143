import { expect, test } from 'vitest'
import { type ConversationState, emptyConversation } from '../../../../src/protocol/entries/fold.ts'
import { changed } from '../../../../src/protocol/frames/marks.ts'
import type { Mark, MarkChange } from '../../../../src/protocol/frames/preferences.ts'
import { idOf } from '../../../../test/support/ids.ts'
import { nothingSeen } from '../../../../test/support/page-state.ts'
import { snoozeTimes } from '../../list/snooze-times.ts'
import { Roster } from './roster.svelte.ts'
import { type Arrangement, sectionsOf } from './sections.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const HOUR_MS = 60 * 60_000
const asked = (at: number) => [{ id: idOf(at), at, by: 'agent', text: 'Well?' }]

/** Conversations by what is known of each, and marks that can be changed. */
function listOf(known: Record<string, Partial<ConversationState>>) {
  const marks = new Map<string, Mark>()
  const markOf = (id: string) => marks.get(id) ?? {}
  const roster = new Roster(nothingSeen(), undefined, markOf)
  Object.entries(known).forEach(([id, state], n) => {
    roster.learn({ ...emptyConversation(id), last: idOf(n + 1), said: idOf(n + 1), ...state })
  })
  const how: Arrangement = { grouping: 'state', filter: 'all', now: NOW, markOf, unread: () => 0 }
  return {
    roster,
    mark: (id: string, change: MarkChange) => marks.set(id, changed(markOf(id), change)),
    sections: (more: Partial<Arrangement> = {}, held?: ReturnType<typeof sectionsOf>) =>
      sectionsOf(roster.list, { ...how, ...more }, held),
    shown(more: Partial<Arrangement> = {}, held?: ReturnType<typeof sectionsOf>) {
      return this.sections(more, held).map(({ kind, of, conversations }) => [
        of ?? kind,
        ...conversations.map(({ id }) => id),
      ])
    },
  }
}

test('[U149] what is pinned comes first in its section, and who needs the person by their wait alone', () => {
  const list = listOf({ one: {}, two: {}, early: { open: asked(10) }, late: { open: asked(20) } })
  list.mark('one', { pinned: true })
  list.mark('late', { pinned: true })
  expect(list.shown()).toEqual([
    ['needy', 'early', 'late'],
    ['quiet', 'one', 'two'],
  ])
})

test('[U148] what is archived or snoozed is in a group of its own at the end', () => {
  const list = listOf({ one: {}, two: {}, three: {} })
  list.mark('one', { archived: true })
  list.mark('two', { snoozed: { until: new Date(NOW + HOUR_MS).toISOString() } })
  expect(list.shown()).toEqual([
    ['quiet', 'three'],
    ['snoozed', 'two'],
    ['archived', 'one'],
  ])
  expect(list.shown({ now: NOW + HOUR_MS })).toEqual([
    ['quiet', 'three', 'two'],
    ['archived', 'one'],
  ])
  expect(list.roster.neighbourOf('two', 1)).toBeUndefined()
})

test('[U151] who needs the person is told so, whatever mark it has; a snooze ends with what is asked after it', () => {
  const list = listOf({ one: { open: asked(10) }, two: { open: asked(20) }, three: { open: asked(30) } })
  list.mark('one', { archived: true, muted: true })
  list.mark('two', { snoozed: { until: 'question', after: idOf(15) } })
  list.mark('three', { snoozed: { until: 'question', after: idOf(30) } })
  expect(list.shown()).toEqual([
    ['needy', 'one', 'two'],
    ['snoozed', 'three'],
  ])
  list.mark('two', { snoozed: { until: new Date(NOW + HOUR_MS).toISOString() } })
  expect(list.shown()).toEqual([
    ['needy', 'one'],
    ['snoozed', 'three', 'two'],
  ])
})

test('[U150] what is muted or sleeps is not counted among the open questions', () => {
  const list = listOf({ one: { open: asked(10) }, two: { open: asked(20) }, three: { open: asked(30) } })
  list.mark('one', { muted: true })
  list.mark('two', { snoozed: { until: 'question', after: idOf(20) } })
  expect([list.roster.openQuestions, list.roster.openQuestionsBut('three')]).toEqual([1, 0])
  expect(list.roster.needsYou.map(({ id }) => id)).toEqual(['one', 'three'])
})

test('[U153] grouped by folder or agent, who needs the person stays first and what is not known comes last', () => {
  const list = listOf({
    a: { folder: '/src/web', agent: 'Codex' },
    b: { agent: 'Claude Code' },
    c: { folder: '/src/api', agent: 'Codex' },
    d: { folder: '/src/web' },
    e: { folder: '/src/web', open: asked(9) },
  })
  expect(list.shown({ grouping: 'project' })).toEqual([
    ['needy', 'e'],
    ['/src/api', 'c'],
    ['/src/web', 'd', 'a'],
    ['project', 'b'],
  ])
  expect(list.shown({ grouping: 'agent' })).toEqual([
    ['needy', 'e'],
    ['Claude Code', 'b'],
    ['Codex', 'c', 'a'],
    ['agent', 'd'],
  ])
})

test('[U154] the list shows only who needs the person, who works, or what is new', () => {
  const list = listOf({ asks: { open: asked(10) }, works: {}, new: {}, shown: {}, old: {}, put: {} })
  list.roster.callRoll({ works: { state: 'working', seen: 0 } })
  list.mark('put', { archived: true })
  const unread = (id: string) => (id === 'new' || id === 'asks' || id === 'put' ? 2 : 0)
  expect(list.shown({ filter: 'needy' })).toEqual([['needy', 'asks']])
  expect(list.shown({ filter: 'working' })).toEqual([['working', 'works']])
  expect(list.shown({ filter: 'unread', unread, shown: 'shown' })).toEqual([
    ['needy', 'asks'],
    ['quiet', 'shown', 'new'],
  ])
})

test('[U156] while the list is held, only what the person puts aside or takes back moves', () => {
  const list = listOf({ one: {}, two: {}, three: {}, four: {} })
  list.mark('four', { archived: true })
  const held = list.sections()
  list.mark('one', { pinned: true })
  list.mark('two', { archived: true })
  list.mark('four', { archived: false })
  expect(list.shown({}, held)).toEqual([
    ['quiet', 'three', 'one', 'four'],
    ['archived', 'two'],
  ])
})

test('[U152] what a snooze offers lies ahead, whatever the time of day', () => {
  const at = (hour: number, minute = 0) => new Date(2026, 0, 31, hour, minute).getTime()
  const morning = new Date(2026, 1, 1, 9).getTime()
  expect(snoozeTimes(at(10))).toEqual([
    ['In an hour', at(11)],
    ['This evening', at(18)],
    ['Tomorrow morning', morning],
  ])
  expect(snoozeTimes(at(17, 30)).map(([name]) => name)).toEqual(['In an hour', 'Tomorrow morning'])
  expect(snoozeTimes(at(23)).every(([, until]) => until > at(23))).toBe(true)
})
