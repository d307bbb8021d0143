import { expect, onTestFinished, test, vi } from 'vitest'
import { gather } from './gather.ts'

function collect() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const got: number[][] = []
  return { got, ...gather<number>((items) => got.push(items), 50) }
}

test('[U69] the first of what comes is handed on at once, and what follows closely comes together', () => {
  const { got, add } = collect()
  add([1])
  expect(got).toEqual([[1]])
  add([2])
  add([3, 4])
  expect(got).toEqual([[1]])
  vi.advanceTimersByTime(50)
  expect(got).toEqual([[1], [2, 3, 4]])
  vi.advanceTimersByTime(50)
  add([5])
  expect(got).toEqual([[1], [2, 3, 4], [5]])
})

test('[U69] nothing overtakes what waits', () => {
  const { got, add, flush } = collect()
  add([1])
  add([2])
  flush()
  expect(got).toEqual([[1], [2]])
  vi.advanceTimersByTime(200)
  expect(got).toEqual([[1], [2]])
})
