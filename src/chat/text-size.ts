import { ParleyError } from '../protocol/errors.ts'
import { fits } from '../protocol/text.ts'
import type { Proposed } from './decision.ts'

/** Refuses what holds a longer text than this hub takes; the protocol itself allows 1 MiB. */
export function mustFit(proposed: Proposed[], limitBytes: number) {
  for (const { body } of proposed)
    for (const text of Object.values(body))
      if (typeof text === 'string' && !fits(text, limitBytes))
        throw new ParleyError('text_too_large', { limit: limitBytes })
}
