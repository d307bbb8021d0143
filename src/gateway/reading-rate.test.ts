import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { paced } from './paced.ts'
import { createReadingRate } from './reading-rate.ts'
import { hasTooManyValues } from './value-count.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('[G212] of a server only so many bytes and values are read in a second, which its log says once', () => {
  const told: string[] = []
  const { pauseAfter } = createReadingRate({ bytes: 100, values: 10 }, { tell: (text) => void told.push(text) })
  expect(pauseAfter(Buffer.alloc(100))).toBe(0)
  expect(pauseAfter(Buffer.alloc(1))).toBe(1000)
  vi.advanceTimersByTime(1000)
  expect(pauseAfter(Buffer.from(','.repeat(10)))).toBe(0)
  vi.advanceTimersByTime(300)
  expect(pauseAfter(Buffer.from(','))).toBe(700)
  vi.advanceTimersByTime(700)
  expect(pauseAfter(Buffer.alloc(100))).toBe(0)
  expect(told).toEqual(['it sends more than is read in a second; the rest waits'])
})

test('[G212] lists that change are looked at less often the longer that takes', async () => {
  let looks = 0
  const { want } = paced({ fromMs: 100, toMs: 10_000, times: 20 }, async () => {
    looks++
    await new Promise((resolve) => setTimeout(resolve, 50))
  })
  for (let ms = 0; ms < 5000; ms += 50) {
    want('tools')
    await vi.advanceTimersByTimeAsync(50)
  }
  // Each look of 50 ms has a pause of 1000 ms behind it.
  expect(looks).toBe(5)
})

test('[G210] values are counted before anything is read, and commas in texts are none', () => {
  const many = 250_001
  expect(hasTooManyValues(`[${'{},'.repeat(many)}{}]`)).toBe(true)
  expect(hasTooManyValues(`[${'{},'.repeat(many - 2)}{}]`)).toBe(false)
  expect(hasTooManyValues(JSON.stringify([','.repeat(3 * many), '\\"'.repeat(many), ','.repeat(many)]))).toBe(false)
})
