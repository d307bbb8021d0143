import type { Caller } from './surface.ts'

/** Tells a caller that asked for progress, at once and then regularly, that its call is alive. */
export async function withHeartbeat<Result>(
  { tellProgress }: Caller,
  everyMs = 10_000,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!tellProgress) return work()
  let progress = 0
  const beat = () => {
    // A beat that cannot be sent means that the caller is gone; its abort signal says so too.
    tellProgress(progress++, 'Waiting for the reply').catch(() => clearInterval(timer))
  }
  const timer = setInterval(beat, everyMs)
  beat()
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
