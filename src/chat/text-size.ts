import type { Body } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import { fits } from '../protocol/text.ts'

/** Refuses what holds a longer text than this hub takes; the protocol itself allows 1 MiB. */
export function mustFit(bodies: Body[], limitBytes: number): Body[] {
  for (const body of bodies)
    for (const text of Object.values(body))
      if (typeof text === 'string' && !fits(text, limitBytes))
        throw new ParleyError('text_too_large', { limit: limitBytes })
  return bodies
}
