import { createQueue } from '../../io/queue.ts'
import { ParleyError } from '../../protocol/errors.ts'

/** What one client wants read, one after the other; what is more than may wait is refused. */
export function oneByOne(most: number) {
  const reads = createQueue()
  let waiting = 0

  return async function inTurn(work: () => Promise<void>): Promise<void> {
    if (waiting >= most) throw new ParleyError('too_many_reads', { most })
    waiting++
    try {
      await reads.add(work)
    } finally {
      waiting--
    }
  }
}
