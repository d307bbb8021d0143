import { vi } from 'vitest'

/** A little less than a test may take, so that it is told what was waited for. */
const LONGEST_MS = 60_000

/** Waits until it throws no more. How long that takes is the machine's affair. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: LONGEST_MS })
}
