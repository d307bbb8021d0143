import { getHeapStatistics } from 'node:v8'
import { expect, onTestFinished, test } from 'vitest'
import { giveBackAtRest } from './spare-memory.ts'

const MB = 2 ** 20

test('[M98] a process that comes to rest gives back what work has left behind, once', async () => {
  const done: string[] = []
  const busy = [1, 0.5, 0, 0]
  const looked = Promise.withResolvers<void>()
  let heapMb = 40
  const spare = giveBackAtRest({
    busy() {
      const share = busy.shift()
      if (share === undefined) looked.resolve()
      else done.push(`looked at ${share}`)
      return share ?? 1
    },
    heapBytes: () => heapMb * MB,
    collect() {
      done.push(`collected ${heapMb} MB`)
      heapMb = 30
    },
  })
  onTestFinished(spare.close)
  await looked.promise
  expect(done).toEqual(['looked at 1', 'looked at 0.5', 'looked at 0', 'collected 40 MB', 'looked at 0'])
})

test('[M98] what is collected makes the heap smaller', async () => {
  const before = grown()
  const collected = Promise.withResolvers<number>()
  let looks = 0
  const spare = giveBackAtRest({
    busy: () => 0,
    // It is asked for a second time after the collection.
    heapBytes() {
      const size = getHeapStatistics().total_heap_size
      if (++looks === 2) collected.resolve(size)
      return size
    },
  })
  onTestFinished(spare.close)
  expect(await collected.promise).toBeLessThan(before - 16 * MB)

  function grown(): number {
    const kept = Array.from({ length: 1_000_000 }, (_, n) => ({ n }))
    return kept.length > 0 ? getHeapStatistics().total_heap_size : 0
  }
})
