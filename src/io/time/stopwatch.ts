/**
 * Tells the milliseconds since it was made, by whichever clock says more: one of them may stand still while the machine
 * sleeps, the other may be set.
 */
export function createStopwatch(): () => number {
  const [wall, steady] = [Date.now(), performance.now()]
  return () => Math.max(Date.now() - wall, performance.now() - steady)
}

/** How often it is looked, and what is more than being busy. */
const LOOK_MS = 1000
const JUMP_MS = 3000

/** Calls back soon after the clock was set or the machine has slept. */
export function onClockJump(jumped: () => void) {
  let apart = Date.now() - performance.now()
  const timer = setInterval(() => {
    const now = Date.now() - performance.now()
    const isJump = Math.abs(now - apart) > JUMP_MS
    apart = now
    if (isJump) jumped()
  }, LOOK_MS).unref()
  return { close: () => clearInterval(timer) }
}
