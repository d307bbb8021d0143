import type { Slip } from '../protocol/frames/link.ts'
import { weightOf } from '../protocol/frames/link-limits.ts'
import { uptimeMs } from './pause.ts'

/** A cancel that comes later was not on its way when its answer was: some clients cancel what they have long had. */
const CROSSING_MS = 5000

interface Kept {
  id: unknown
  slips: Slip[]
  /** Absent until it is written. */
  at?: number
}

/** What the client got with its answers, until a later answer of the same conversation shows that the hub has noted it. */
export function createSlips(now = uptimeMs) {
  let kept: Kept[] = []
  return { writing, crossed, newest }

  /**
   * The answer to a request that was said then is on its way to the client. What this returns is to be called when it is
   * written, and tells what the client has of it. Requests that bring nothing, or elsewhere, prove nothing.
   */
  function writing(id: unknown, slips: Slip[], since: number): () => Slip[] {
    if (slips.length === 0) return () => slips
    const proven = new Set(slips.map(({ conversation }) => conversation))
    const one: Kept = { id, slips }
    kept.push(one)
    return () => {
      if (!kept.includes(one)) return []
      one.at = now()
      const isOlder = (other: Kept) => other !== one && other.at !== undefined && other.at <= since
      kept = kept.flatMap((other) => (isOlder(other) ? without(other, proven) : other))
      return slips
    }
  }

  /** Those that were written, the oldest left out where they are more than so many. */
  function newest(most = Infinity): Slip[] {
    let left = most
    const written = kept.flatMap(({ slips, at }) => (at === undefined ? [] : slips))
    const tooMany = written.findLastIndex((slip) => {
      left -= weightOf(slip)
      return left < 0
    })
    return written.slice(tooMany + 1)
  }

  /** The client cancels a request; tells whether that may mean an answer that it has not seen, whose slips are none then. */
  function crossed(id: unknown): boolean {
    const late = kept.find((one) => one.id === id)
    if (late?.at !== undefined && now() - late.at > CROSSING_MS) return false
    kept = kept.filter((one) => one !== late)
    return true
  }
}

function without({ slips, ...one }: Kept, proven: Set<string>): Kept[] {
  const left = slips.filter(({ conversation }) => !proven.has(conversation))
  return left.length > 0 ? [{ ...one, slips: left }] : []
}
