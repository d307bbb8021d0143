import { type Page, unseen } from './page.ts'
import type { Caller } from './surface.ts'

/** Tells a caller that asked for progress, at once and then regularly, that its call is alive. */
export async function withHeartbeat<Result>(
  { tellProgress }: Caller,
  { heartbeatMs = 10_000, page }: { heartbeatMs?: number; page?(): Page },
  work: () => Promise<Result>,
): Promise<Result> {
  if (!tellProgress) return work()
  let progress = 0
  const beat = () => {
    // A beat that cannot be sent means that the caller is gone; its abort signal says so too.
    const url = unseen(page)
    const message = url ? `Waiting for the reply; nobody has the page open: ${url}` : 'Waiting for the reply'
    tellProgress(progress++, message).catch(() => clearInterval(timer))
  }
  const timer = setInterval(beat, heartbeatMs)
  beat()
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
