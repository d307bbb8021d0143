import { vi } from 'vitest'

/** A little less than a test may take, so that it is told what was waited for. */
const LONGEST_MS = 60_000
/** What happens in this process has happened after so many looks. */
const QUICK_LOOKS = 50
const PAUSE_MS = 2
/** As it was before a test took the time into its own hands. */
const { setTimeout: later } = globalThis

/** Waits until it throws no more. How long that takes is the machine's affair. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: LONGEST_MS })
}

/** What a loop awaits that looks for something: it looks again at once, and after a while leaves the processor to others. */
export function createTurns(): () => Promise<void> {
  let looks = 0
  return () => new Promise((resolve) => (looks++ < QUICK_LOOKS ? setImmediate(resolve) : later(resolve, PAUSE_MS)))
}
