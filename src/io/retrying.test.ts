import { expect, test } from 'vitest'
import { createBackOff } from './back-off.ts'
import { retrying } from './retrying.ts'

test('[G324] what may be tried again is, after a pause each time, and the first other error is thrown', async () => {
  const done: string[] = []
  const work = async () => {
    done.push('try')
    if (done.length < 5) throw new Error('lost')
    return 'there'
  }
  const isLost = (error: unknown) => (error as Error).message === 'lost'
  expect(await retrying(work, isLost, () => done.push('pause'))).toBe('there')
  expect(done).toEqual(['try', 'pause', 'try', 'pause', 'try'])
  const refused = async () => {
    throw new Error('refused')
  }
  await expect(retrying(refused, isLost)).rejects.toThrow('refused')
})

test('[G324] each pause is twice as long as the one before, up to the most, until it worked', () => {
  const backOff = createBackOff(50, 300)
  expect([1, 2, 3, 4, 5].map(backOff.next)).toEqual([50, 100, 200, 300, 300])
  backOff.reset()
  expect(backOff.next()).toBe(50)
  const byChance = backOff.nextByChance()
  expect(byChance).toBeGreaterThanOrEqual(50)
  expect(byChance).toBeLessThanOrEqual(100)
})
