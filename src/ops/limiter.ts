import { ParleyError } from '../protocol/errors.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'

export interface LimiterParts {
  /** Commands a second in the long run. */
  rate: number
  /** In milliseconds, from anywhere. */
  now?(): number
}

// What somebody who was quiet may send at once, in seconds' worth.
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

  function bucketOf({ name, role }: Principal) {
    // Without tokens everybody has one name, and agents must not use up what people need.
    const key = name === LOCAL ? `${LOCAL} ${role}` : name
    const known = buckets.get(key)
    if (known) return known
    const bucket = { tokens: full, at: now() }
    buckets.set(key, bucket)
    return bucket
  }
}
