import { expect, onTestFinished, test, vi } from 'vitest'
import { createLimits } from './limits.ts'

const RULE = { id: 'pace' }
const CALLS = { most: 2, ms: 60_000, each: 'minute' }
const callOf = (more: object = {}) => ({
  subject: { server: 'web', tool: 'fetch', arguments: {}, principal: 'local:agent', agent: 'codex', at: 0, ...more },
  shown: 'web_fetch',
})

function limited(calls = CALLS) {
  const clock = { now: 0 }
  const { take } = createLimits(() => clock.now)
  return { clock, take: (more?: object) => take(callOf(more), { decision: 'allow', rule: RULE, limit: { calls } }) }
}

test('[G261] the error says when a place is free, and then one is', () => {
  const { clock, take } = limited()
  take()
  clock.now = 20_000
  take()
  clock.now = 30_500
  expect(() => take()).toThrow(
    'Rule pace of the policy lets one agent call web_fetch 2 times a minute; try again in 30 s',
  )
  clock.now = 60_000
  take()
  expect(() => take()).toThrow('try again in 20 s')
})

test('[G261] each agent has its own places, and each tool', () => {
  const { take } = limited({ most: 1, ms: 3_600_000, each: 'hour' })
  for (const more of [{}, { agent: 'claude' }, { folder: '/site' }, { principal: 'ada' }, { tool: 'post' }]) {
    take(more)
    expect(() => take(more)).toThrow('once an hour; try again in 3600 s')
  }
  // A caller with a token is the same by whichever name.
  expect(() => take({ principal: 'ada', agent: 'claude', folder: '/other' })).toThrow('once an hour')
})

test('[G263] a place that is given back is free', () => {
  const { take } = limited()
  take()
  take()?.giveBack()
  take()
  expect(() => take()).toThrow('2 times a minute')
})

test('[G261] what is over is forgotten', () => {
  const { clock, take } = limited()
  for (let n = 0; n < 1500; n++) {
    clock.now += 100_000
    take({ agent: `agent ${n}` })
  }
  clock.now += 1
  take({ agent: 'agent 1499' })
  expect(() => take({ agent: 'agent 1499' })).toThrow('2 times a minute')
})

test('[G263] a place whose time is over is not given back once more', () => {
  const { clock, take } = limited()
  const first = take()
  clock.now = 60_000
  take()
  take()
  first?.giveBack()
  expect(() => take()).toThrow('2 times a minute')
})

test('[G261] where the limit of a tool changes, the times of before count for as long as the longest', () => {
  const clock = { now: 0 }
  const { take } = createLimits(() => clock.now)
  const taking = (ms: number, each: string) =>
    take(callOf(), { decision: 'allow', rule: RULE, limit: { calls: { most: 2, ms, each } } })
  taking(3_600_000, 'hour')
  clock.now = 70_000
  taking(60_000, 'minute')
  expect(() => taking(3_600_000, 'hour')).toThrow('2 times an hour; try again in 3530 s')
})

test('[G264] [G265] arguments and results are held to their size to the byte', () => {
  const { mustFit, take } = createLimits()
  const call = callOf({ arguments: { a: 'ä' } })
  const under = (limit: object) => ({ decision: 'allow' as const, rule: RULE, limit })
  expect(() => mustFit(call, under({ arguments: 10 }))).not.toThrow()
  expect(() => mustFit(call, under({ arguments: 9 }))).toThrow('10 bytes')
  expect(() => mustFit(callOf({ arguments: { a: 'x'.repeat(1100) } }), under({ arguments: 1000 }))).toThrow('1.1 KB')
  expect(() => mustFit(callOf({ arguments: { a: 'x'.repeat(1000) } }), under({ arguments: 1000 }))).toThrow(
    '1008 bytes',
  )
  expect(take(call, { decision: 'allow' })).toBeUndefined()
  const held = take(call, under({ result: 11 }))
  expect(held?.begin()).toBeUndefined()
  held?.end({ result: { a: 'xyz' } })
  held?.end({ error: new Error('It is longer than eleven bytes') })
  expect(() => held?.end({ result: { a: 'xyz1' } })).toThrow('12 bytes')
  held?.giveBack()
})

test('[G266] the time of a call is over once it is, unless the call is', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { take } = createLimits()
  const begun = () => take(callOf(), { decision: 'allow', rule: RULE, limit: { time: 90_000 } })
  const [slow, quick] = [begun(), begun()]
  const [late, early] = [slow?.begin(), quick?.begin()]
  quick?.end({ result: {} })
  vi.advanceTimersByTime(89_999)
  expect(late?.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect([late?.aborted, early?.aborted]).toEqual([true, false])
  expect(late?.reason).toMatchObject({ code: 'time_limited', message: expect.stringMatching(/web_fetch.*90 s/) })
})
