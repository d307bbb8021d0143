import { expect, test } from 'vitest'
import { backoff } from './backoff.ts'

test('[U3] the wait before a reconnect doubles from a quarter of a second up to ten seconds', () => {
  const waits = [0, 1, 2, 3, 4, 5, 6, 7, 50].map((attempt) => backoff(attempt, () => 1))
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000])
})

test('[U3] jitter takes up to half of the wait, so that many pages do not come back at once', () => {
  expect(backoff(2, () => 0)).toBe(500)
  expect(backoff(2, () => 0.5)).toBe(750)
})
