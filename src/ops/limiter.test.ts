import { expect, test } from 'vitest'
import { ParleyError } from '../protocol/errors.ts'
import { localPrincipal, type Principal } from '../protocol/principal.ts'
import { createLimiter } from './limiter.ts'

const ADA: Principal = { id: 'ada', name: 'ada', role: 'human' }

function limiterAt(rate: number) {
  let now = 0
  const limiter = createLimiter({ rate, now: () => now })
  return {
    advance(ms: number) {
      now += ms
    },
    /** How many of so many are let in, and what the first refused one is told. */
    send(count: number, principal = ADA) {
      let taken = 0
      let refusal: ParleyError | undefined
      for (let n = 0; n < count; n++)
        try {
          limiter.take(principal)
          taken++
        } catch (error) {
          if (!(error instanceof ParleyError)) throw error
          refusal ??= error
        }
      return { taken, refusal }
    },
  }
}

test('[S17] somebody quiet may send four seconds of the rate at once, and then as much as the rate', () => {
  const { send, advance } = limiterAt(10)
  expect(send(100).taken).toBe(40)
  advance(500)
  expect(send(100).taken).toBe(5)
  advance(60 * 60_000)
  expect(send(100).taken).toBe(40)
})

test('[S17] who is refused is told when a token will be there', () => {
  const { send, advance } = limiterAt(1)
  const { refusal } = send(5)
  expect([refusal?.code, refusal?.message]).toEqual(['rate_limited', 'Too many requests; try again in 1 s'])
  expect(refusal?.retryAfterSeconds).toBe(1)
  advance(1000)
  expect(send(2).taken).toBe(1)
})

test('[S17] nobody uses up what others have; without tokens people and agents count apart', () => {
  const { send } = limiterAt(1)
  expect(send(10).taken).toBe(4)
  expect(send(10, { ...ADA, id: 'ben' }).taken).toBe(4)
  // The same id is the same principal, whatever it does and is called.
  expect(send(10, { ...ADA, name: 'ben', role: 'agent' }).taken).toBe(0)
  expect(send(10, localPrincipal('human')).taken).toBe(4)
  expect(send(10, localPrincipal('agent')).taken).toBe(4)
})
