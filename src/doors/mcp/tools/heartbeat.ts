import { type Page, unseen } from '../page.ts'
import type { Caller } from '../surface.ts'

/**
 * Tells a caller that asked for progress, at once and then regularly, that its call is alive: for so many seconds,
 * which count from when the call was made, at whichever hub that was, because progress must grow.
 */
export function withHeartbeat<Result>(
  { tellProgress, waitedMs }: Caller,
  { heartbeatMs = 10_000, page }: { heartbeatMs?: number; page?(): Page },
  work: () => Promise<Result>,
): Promise<Result> {
  if (!tellProgress) return work()
  let aliveMs = waitedMs
  const beat = () => {
    // A beat that cannot be sent means that the caller is gone; its abort signal says so too.
    const url = unseen(page)
    const message = url ? `Waiting for the reply; nobody has the page open: ${url}` : 'Waiting for the reply'
    tellProgress(aliveMs / 1000, message).catch(() => clearInterval(timer))
    aliveMs += heartbeatMs
  }
  const timer = setInterval(beat, heartbeatMs)
  beat()
  return work().finally(() => clearInterval(timer))
}
