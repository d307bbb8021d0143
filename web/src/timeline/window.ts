import type { Entry } from '../../../src/protocol/entry.ts'
import type { Row } from '../state/rows.ts'
import { WINDOW } from '../state/timeline.svelte.ts'

/** Rows this far from what is seen are kept: more than what is read ahead, or both would take turns for ever. */
const KEEP_PX = 4000
/** What one drop leaves, so that the next one is a while off. */
const KEPT = WINDOW - 150

export interface Sight {
  /** Pixels from the first row to what is seen, and how many are seen. */
  top: number
  height: number
  rowAt: (offset: number) => number
}

/** What the window has too much of, at the side that is farther from what is seen. */
export function surplus(entries: Entry[], rows: Row[], { top, height, rowAt }: Sight) {
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
