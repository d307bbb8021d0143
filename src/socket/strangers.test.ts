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
