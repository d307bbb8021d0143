import { Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { LINK_LIMITS } from '../protocol/link-limits.ts'
import { createStrangers } from './strangers.ts'

test('[S133] what was told 10 s ago is not counted any more, and what was refused never', () => {
  vi.useFakeTimers()
  const { came } = createStrangers({ ...LINK_LIMITS, slips: 2, allSlips: 3 })
  const [one, two] = [came(new Socket(), () => expect.unreachable()), came(new Socket(), () => expect.unreachable())]
  one.tells([{}, {}])
  expect(() => two.tells([{}, {}])).toThrow('tell of 3 answers')
  two.tells([{}])
  vi.advanceTimersByTime(LINK_LIMITS.slipsMs)
  expect(() => one.tells([{}])).toThrow('tell of 2 answers')
  came(new Socket(), () => expect.unreachable()).tells([{ replies: ['1'] }])
  vi.useRealTimers()
})

test('[S181] of those who do not read what they are told the one with the most goes, and who has the key never', () => {
  const refused: number[] = []
  const { came } = createStrangers({ ...LINK_LIMITS, unreadLength: 10 })
  const [owner, little, much] = [20, 3, 8].map((length, n) => {
    const socket = Object.defineProperty(new Socket(), 'writableLength', { value: length })
    return { socket, ...came(socket, () => refused.push(n)) }
  })
  owner?.isNone()
  owner?.reads()
  expect(refused).toEqual([])
  little?.reads()
  expect([refused, little?.socket.destroyed, much?.socket.destroyed]).toEqual([[2], false, true])
  little?.reads()
  expect([refused, owner?.socket.destroyed]).toEqual([[2], false])
})
