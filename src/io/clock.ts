/** Time as the domain sees it; tests bring their own. */
export interface Clock {
  now(): number
  /** Calls back once `now()` has reached `at`. */
  alarm(at: number, ring: () => void): { cancel(): void }
  /** Milliseconds that have passed since some moment, whatever is done to the clock on the wall. */
  elapsed(): number
  /** Calls back once so much time has passed. */
  after(ms: number, ring: () => void): { cancel(): void }
}

// Node fires timers above this at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  alarm(at, ring) {
    let timer: NodeJS.Timeout
    arm()
    return { cancel: () => clearTimeout(timer) }

    function arm() {
      timer = setTimeout(ringOrWait, Math.min(Math.max(0, at - Date.now()), LONGEST_TIMER_MS))
      timer.unref()
    }

    /** Timers may fire a millisecond early, which is before it is time. */
    function ringOrWait() {
      if (Date.now() < at) arm()
      else ring()
    }
  },
  elapsed: uptimeMs,
  after(ms, ring) {
    const timer = setTimeout(ring, ms).unref()
    return { cancel: () => clearTimeout(timer) }
  },
}

/** A clock that never goes back. Not `performance`: the first look at it takes 1 ms. */
export function uptimeMs(): number {
  return process.uptime() * 1000
}
