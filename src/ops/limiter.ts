import { ParleyError } from '../protocol/errors.ts'
import type { Principal } from '../protocol/principal.ts'

interface LimiterParts {
  /** Commands a second in the long run. */
  rate: number
  /** A clock in milliseconds, from anywhere. */
  now?(): number
}

// The burst that a quiet caller may send at once, in seconds' worth.
const BURST_SECONDS = 4

/** A bucket for each principal: a command takes a token, and tokens come back at the rate until the bucket is full. */
export function createLimiter({ rate, now = () => performance.now() }: LimiterParts) {
  const full = rate * BURST_SECONDS
  const buckets = new Map<string, { tokens: number; at: number }>()
  return { take }

  function take(principal: Principal) {
    const bucket = bucketOf(principal)
    const at = now()
    bucket.tokens = Math.min(full, bucket.tokens + ((at - bucket.at) / 1000) * rate)
    bucket.at = at
    if (bucket.tokens < 1)
      throw new ParleyError('rate_limited', { seconds: Math.max(1, Math.ceil((1 - bucket.tokens) / rate)) })
    bucket.tokens--
  }

  function bucketOf({ id }: Principal) {
    const known = buckets.get(id)
    if (known) return known
    const bucket = { tokens: full, at: now() }
    buckets.set(id, bucket)
    return bucket
  }
}
