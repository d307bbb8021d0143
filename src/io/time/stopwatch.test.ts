import { expect, onTestFinished, test, vi } from 'vitest'
import { createStopwatch, onClockJump } from './stopwatch.ts'

function fakeTime() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('[O192] time that one of the clocks did not see has passed all the same', () => {
  fakeTime()
  const elapsed = createStopwatch()
  vi.advanceTimersByTime(1000)
  expect(elapsed()).toBe(1000)
  vi.setSystemTime(Date.now() + 3_600_000)
  expect(elapsed()).toBe(3_601_000)
  vi.setSystemTime(Date.now() - 7_200_000)
  expect(elapsed()).toBe(1000)
})

test('[O192] that the clock was set or the machine slept is noticed once, and soon', () => {
  fakeTime()
  let jumps = 0
  const { close } = onClockJump(() => {
    jumps++
  })
  vi.advanceTimersByTime(10_000)
  expect(jumps).toBe(0)
  for (const jump of [3_600_000, -3_600_000]) {
    jumps = 0
    vi.setSystemTime(Date.now() + jump)
    vi.advanceTimersByTime(1000)
    expect(jumps).toBe(1)
    vi.advanceTimersByTime(10_000)
    expect(jumps).toBe(1)
  }
  close()
})
