import type { Slip } from '../protocol/link.ts'
import { uptimeMs } from './pause.ts'

/** What the client got with its answers, until a later answer of the same conversation shows that the hub has noted it. */
export function createSlips() {
  let kept: { slip: Slip; at: number }[] = []
  return { keep, all: () => kept.map(({ slip }) => slip) }

  /** With the answer to a request that was said then. Requests that bring nothing, or elsewhere, prove nothing. */
  function keep(slips: Slip[], since: number) {
    const proven = new Set(slips.map(({ conversation }) => conversation))
    const at = uptimeMs()
    kept = kept.filter((older) => older.at > since || !proven.has(older.slip.conversation))
    kept.push(...slips.map((slip) => ({ slip, at })))
  }
}
