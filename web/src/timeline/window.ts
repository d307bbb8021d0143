import type { Entry } from '../../../src/protocol/entries/entry.ts'
import type { Goal } from '../state/conversation/timeline.svelte.ts'
import { WINDOW } from '../state/conversation/timeline.svelte.ts'
import type { Row } from '../state/rows/row.ts'

/** Rows this far from what is seen are kept: more than what is read ahead, or both would take turns for ever. */
const KEEP_PX = 4000
/** The number of entries that one drop leaves, so that the next one is a while off. */
const KEPT = WINDOW - 150

export interface Sight {
  /** It says how many pixels are above what is seen, and how many are seen. */
  scroller: Pick<HTMLElement, 'scrollTop' | 'clientHeight'>
  rowAt: (offset: number) => number
}

/** The surplus of the window, at the side that is farther from what is seen. */
export function surplus(entries: Entry[], rows: Row[], { scroller, rowAt }: Sight) {
  const { scrollTop: top, clientHeight: height } = scroller
  if (entries.length <= WINDOW) return undefined
  const firstKept = rows[rowAt(Math.max(0, top - KEEP_PX))]?.id
  // Some rows stand for many entries; the one after the last that is kept says where those end.
  const firstBelow = rows[rowAt(top + height + KEEP_PX) + 1]?.id
  const above = firstKept === undefined ? 0 : countBefore(entries, firstKept)
  const below = firstBelow === undefined ? 0 : entries.length - countBefore(entries, firstBelow)
  const side = above > below ? 'older' : 'newer'
  return { side, count: Math.min(Math.max(above, below), entries.length - KEPT) } as const
}

function countBefore(entries: Entry[], id: string): number {
  let [from, to] = [0, entries.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((entries[middle]?.id ?? '') < id) from = middle + 1
    else to = middle
  }
  return from
}

/** The index of an entry's row, or of the row it has become a part of; of a moment, that of its first row. */
export function placeOf(goal: Exclude<Goal, 'end'>, rows: Row[]): number {
  if ('entry' in goal)
    return Math.max(
      0,
      rows.findLastIndex(({ id }) => id !== undefined && id <= goal.entry),
    )
  const index = rows.findIndex(({ at }) => at >= goal.time)
  return index < 0 ? rows.length - 1 : index
}

/** Rows came or went before the first one, and those that stay must not move. */
export function isShifted(before: Row[], after: Row[]): boolean {
  return after[0]?.key !== before[0]?.key && after.at(-1)?.key === before.at(-1)?.key
}
