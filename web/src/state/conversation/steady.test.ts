import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Steady, TOO_SOON } from './steady.svelte.ts'
import { STILL_MS } from './still.ts'

const HERE = [10, 500, 120, 40]

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function seenAt(place: number[]): Steady {
  const steady = new Steady()
  steady.see(place)
  return steady
}

function waitNearly() {
  vi.advanceTimersByTime(STILL_MS - 1)
}

test('[U291] what has stood still in view for 600 ms wakes, and what nobody sees never does', () => {
  expect(STILL_MS).toBe(600)
  const steady = seenAt(HERE)
  waitNearly()
  expect(steady.live).toBe(false)
  vi.advanceTimersByTime(1)
  expect(steady.live).toBe(true)
  const unseen = new Steady()
  unseen.restart()
  vi.advanceTimersByTime(10 * STILL_MS)
  expect(unseen.live).toBe(false)
})

test('[U291] a jump, a look away and other content begin anew, and a pixel does not', () => {
  const steady = seenAt(HERE)
  const changes = [
    () => steady.see([10, 460, 120, 40]),
    () => steady.restart(),
    () => {
      steady.see(undefined)
      steady.see(HERE)
    },
    () => steady.see([...HERE, 140, 500, 120, 40]),
  ]
  for (const change of changes) {
    waitNearly()
    change()
    waitNearly()
    expect(steady.live).toBe(false)
    vi.advanceTimersByTime(1)
    expect(steady.live).toBe(true)
  }
  const still = seenAt(HERE)
  waitNearly()
  expect(still.see([10, 501, 120, 40])).toBe(false)
  vi.advanceTimersByTime(1)
  expect(still.live).toBe(true)
})

test('[U291] a press counts by when it was made, and where it is by then', () => {
  const steady = seenAt(HERE)
  const made = performance.now() + STILL_MS - 10
  vi.advanceTimersByTime(STILL_MS)
  expect(steady.press(made)).toBe(false)
  expect(steady.press(performance.now())).toBe(true)
  // Nothing has told of the jump yet.
  steady.watch(() => steady.see([10, 400, 120, 40]))
  expect(steady.press(performance.now())).toBe(false)
  expect(steady.live).toBe(false)
})

test('[U292] who presses too soon is told, for as long as it takes to read it', () => {
  const steady = seenAt(HERE)
  expect(steady.told).toBe('')
  expect(steady.press(performance.now())).toBe(false)
  expect(steady.told).toBe(TOO_SOON)
  vi.advanceTimersByTime(2000)
  expect(steady.told).toBe(TOO_SOON)
  vi.advanceTimersByTime(2000)
  expect(steady.told).toBe('')
  expect(steady.press(performance.now())).toBe(true)
  expect(steady.told).toBe('')
})
