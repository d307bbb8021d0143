import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { paced } from '../mounts/paced.ts'
import { createReadingRate, readAtRate } from './reading-rate.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('[G212] of a server only so many bytes and values are read in a second, which its log says once', () => {
  const told: string[] = []
  const { pauseAfter } = createReadingRate(
    { bytes: 100, values: 10, messages: 3 },
    { tell: (text) => void told.push(text) },
  )
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

test('[G302] of messages that answer nothing only so many are read in a second, in short pieces', () => {
  const rate = createReadingRate({ bytes: 1e9, values: 1e9, messages: 3 }, { tell() {} })
  const stream = new PassThrough()
  const read: number[] = []
  const reading = readAtRate(stream, rate, (piece) => {
    read.push(piece.length)
    rate.said()
  })
  stream.emit('data', Buffer.alloc(10 * 8192))
  expect(read).toEqual([8192, 8192, 8192, 8192])
  expect(stream.isPaused()).toBe(true)
  vi.advanceTimersByTime(1000)
  // What begins a second is not counted in it.
  expect(read).toHaveLength(9)
  stream.emit('data', Buffer.alloc(1))
  expect(read).toHaveLength(9)
  reading.rest()
  expect(read).toEqual([...Array(10).fill(8192), 1])
})
