import { expect, test } from 'vitest'
import { systemClock } from './clock.ts'

test('[Q67] an alarm never rings before it is time', async () => {
  const early = await Promise.all(
    Array.from({ length: 2000 }, (_, n) => {
      const at = systemClock.now() + 1 + (n % 300)
      return new Promise<boolean>((resolve) => systemClock.alarm(at, () => resolve(systemClock.now() < at)))
    }),
  )
  expect(early.filter(Boolean)).toEqual([])
})
