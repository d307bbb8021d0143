const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 10_000

/** Doubles up to ten seconds; the jitter keeps many pages from coming back in the same instant. */
export function backoff(attempt: number, random: () => number = Math.random): number {
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt)
  return wait * (0.5 + random() / 2)
}
