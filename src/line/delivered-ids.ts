import { uptimeMs } from '../io/clock.ts'
import type { DeliveredIds } from '../protocol/frames/link.ts'
import { weightOf } from '../protocol/frames/link-limits.ts'

/** A cancel that comes later was not on its way when its answer was: some clients cancel what they have long had. */
const CROSSING_MS = 5000

interface Kept {
  id: unknown
  delivered: DeliveredIds[]
  /** Absent until it is written. */
  at?: number
}

/**
 * What the client got with its answers, until a later answer of the same conversation shows that the hub has noted it.
 */
export function createDeliveredIds(now = uptimeMs) {
  let kept: Kept[] = []
  return { writing, crossed, newest }

  /**
   * The answer to a request that was said then is on its way to the client. What this returns is to be called when it
   * is written, and tells what the client has of it. Requests that bring nothing, or elsewhere, prove nothing.
   */
  function writing(id: unknown, delivered: DeliveredIds[], since: number): () => DeliveredIds[] {
    if (delivered.length === 0) return () => delivered
    const proven = new Set(delivered.map(({ conversation }) => conversation))
    const one: Kept = { id, delivered }
    kept.push(one)
    return () => {
      if (!kept.includes(one)) return []
      one.at = now()
      const isOlder = (other: Kept) => other !== one && other.at !== undefined && other.at <= since
      kept = kept.flatMap((other) => (isOlder(other) ? without(other, proven) : other))
      return delivered
    }
  }

  /** Those that were written, the oldest left out where they are more than so many. */
  function newest(most = Infinity): DeliveredIds[] {
    let left = most
    const written = kept.flatMap(({ delivered, at }) => (at === undefined ? [] : delivered))
    const tooMany = written.findLastIndex((deliveredIds) => {
      left -= weightOf(deliveredIds)
      return left < 0
    })
    return written.slice(tooMany + 1)
  }

  /**
   * The client cancels a request; tells whether that may mean an answer that it has not seen, whose delivered ids do
   * not count then.
   */
  function crossed(id: unknown): boolean {
    const late = kept.find((one) => one.id === id)
    if (late?.at !== undefined && now() - late.at > CROSSING_MS) return false
    kept = kept.filter((one) => one !== late)
    return true
  }
}

function without({ delivered, ...one }: Kept, proven: Set<string>): Kept[] {
  const left = delivered.filter(({ conversation }) => !proven.has(conversation))
  return left.length > 0 ? [{ ...one, delivered: left }] : []
}
