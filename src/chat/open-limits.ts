import { ParleyError } from '../protocol/errors.ts'
import { sizeInWords } from '../protocol/size.ts'
import type { Proposed } from './decision.ts'
import { bytesOf } from './text-size.ts'

/** How many questions a principal may have open at once, in all conversations together, and what they may take. */
export const MOST_OPEN = 5000
export const MOST_OPEN_BYTES = 16 * 1024 * 1024

export interface Taken {
  count: number
  bytes: number
}

export type OpenLimits = ReturnType<typeof createOpenLimits>

/** What is open is kept in memory, and every page is told of it: nobody may have too much of it. */
export function createOpenLimits({ openOf }: { openOf(asker: string): Taken }) {
  /** What is being appended just now. */
  const underWay = new Map<string, Taken>()
  return { admit }

  /** Throws where it would be too much. What is returned is called when it is open, or refused. */
  function admit(proposed: Proposed[]): () => void {
    const wanted = new Map<string, Taken>()
    for (const { body } of proposed)
      if (body.kind === 'question') add(wanted, body.asker ?? '', { count: 1, bytes: bytesOf(body) })
    for (const [asker, { count, bytes }] of wanted) {
      const others = [openOf(asker), underWay.get(asker) ?? NOTHING]
      const all = others.reduce((sum, one) => ({ count: sum.count + one.count, bytes: sum.bytes + one.bytes }))
      if (all.count + count > MOST_OPEN || all.bytes + bytes > MOST_OPEN_BYTES)
        throw new ParleyError('too_much_open', { most: MOST_OPEN, size: sizeInWords(MOST_OPEN_BYTES) })
    }
    for (const [asker, taken] of wanted) add(underWay, asker, taken)
    return () => {
      for (const [asker, { count, bytes }] of wanted) add(underWay, asker, { count: -count, bytes: -bytes })
    }
  }
}

export const NOTHING: Taken = { count: 0, bytes: 0 }

/** Adds to what somebody has; who has nothing is not kept. */
export function add(all: Map<string, Taken>, asker: string, { count, bytes }: Taken) {
  const known = all.get(asker) ?? NOTHING
  const now = { count: known.count + count, bytes: known.bytes + bytes }
  if (now.count > 0) all.set(asker, now)
  else all.delete(asker)
}
