import type { Clock } from '../../io/clock.ts'
import type { Journal } from '../../log/journal.ts'
import { EntryId } from '../../protocol/entries/entry.ts'
import type { Projection } from '../conversation/projection.ts'

interface CatchingUpParts {
  journal: Pick<Journal, 'shared'>
  projection: Pick<Projection, 'last' | 'reached'>
  clock: Pick<Clock, 'after'>
}

/** An id that no hub has made known for so long was given out by none. */
const LONGEST_MS = 5000

/** Resolves once this hub may look up an id that another one gave out: it has seen everything up to it. Mostly it has. */
export function createCatchingUp({ journal, projection, clock }: CatchingUpParts) {
  return function caughtUp(id: string): Promise<void> | undefined {
    if (!journal.shared || id <= (projection.last() ?? '') || !EntryId.safeParse(id).success) return undefined
    return reached(id)
  }

  async function reached(id: string) {
    const over = new AbortController()
    const timer = clock.after(LONGEST_MS, () => over.abort())
    try {
      await projection.reached(id, over.signal)
    } finally {
      timer.cancel()
    }
  }
}
