import { Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { LINK_LIMITS } from '../../protocol/frames/link-limits.ts'
import { createStrangers } from './strangers.ts'

test('[S134] answers that are not read count, too, and the one goes that has held them for longest', () => {
  const { came } = createStrangers({ ...LINK_LIMITS, heldLength: 10 })
  const refused: string[] = []
  const visitor = (name: string) => {
    const socket = new Socket()
    return { socket, ...came(socket, ({ code }) => refused.push(`${name} ${code}`)) }
  }
  const [one, two, three] = [visitor('one'), visitor('two'), visitor('three')]
  one.isTooMuch(3)
  Object.defineProperty(two.socket, 'writableLength', { value: 5 })
  two.reads()
  one.isTooMuch(0)
  one.isTooMuch(3)
  expect(refused).toEqual([])
  Object.defineProperty(three.socket, 'writableLength', { value: 4 })
  three.reads()
  expect(refused).toEqual(['two too_many_strangers'])
  expect([one, two, three].map(({ socket }) => socket.destroyed)).toEqual([false, true, false])
  // A connection with the key is not counted.
  one.isNone()
  one.isTooMuch(100)
  three.reads()
  expect(refused).toHaveLength(1)
})

test('[S133] what was told 10 s ago is not counted any more, and what was refused never', () => {
  vi.useFakeTimers()
  const { came } = createStrangers({ ...LINK_LIMITS, deliveredIds: 2, allDeliveredIds: 3 })
  const [one, two] = [came(new Socket(), () => expect.unreachable()), came(new Socket(), () => expect.unreachable())]
  one.tells([{}, {}])
  expect(() => two.tells([{}, {}])).toThrow('tell of 3 answers')
  two.tells([{}])
  vi.advanceTimersByTime(LINK_LIMITS.deliveredIdsMs)
  expect(() => one.tells([{}])).toThrow('tell of 2 answers')
  came(new Socket(), () => expect.unreachable()).tells([{ replies: ['1'] }])
  vi.useRealTimers()
})
