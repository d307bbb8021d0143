import { expect, test } from 'vitest'
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
