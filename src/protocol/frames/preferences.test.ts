import { expect, test } from 'vitest'
import { changed, isSnoozed } from './marks.ts'
import type { Mark } from './preferences.ts'

const MESSAGE = { kind: 'message' } as const
const id = (n: number) => String(n).padStart(16, '0')
const snoozed = (mark: Mark, now: number, ...open: number[]) =>
  isSnoozed(mark, { now, open: open.map((n) => ({ id: id(n) })) })

test('[Q49] a snooze ends at its time, or with the next question', () => {
  const untilTime: Mark = { snoozed: { until: '2026-01-31T09:00:00Z' } }
  const nine = Date.parse('2026-01-31T09:00:00Z')
  expect([snoozed(untilTime, nine - 1, 5), snoozed(untilTime, nine)]).toEqual([true, false])
  const untilAsked: Mark = { snoozed: { until: 'question', after: id(5) } }
  expect([snoozed(untilAsked, nine, 4, 5), snoozed(untilAsked, 0, 4, 6)]).toEqual([true, false])
  expect(snoozed({ pinned: true }, 0)).toBe(false)
})

test('[Q44] a change names only what it changes, and what is not so is not kept', () => {
  const mark = changed({}, { pinned: true, muted: true, read: id(3) })
  expect(changed(mark, { muted: false })).toEqual({ pinned: true, read: id(3) })
  expect(changed({ snoozed: { until: '2026-01-31T09:00:00Z' } }, { snoozed: null })).toEqual({})
  const draft = { text: 'a', target: MESSAGE, at: 5 }
  expect(changed({ draft, read: id(3) }, { draft: { ...draft, at: 4 }, read: id(2) })).toEqual({ draft, read: id(3) })
})
