import { SOAK } from '../log/contract/place.ts'
import type { Era } from './agent.ts'

/**
 * The eras of a test whose rule is about processes and what they keep: a line passes on what either era says. Without
 * `PARLEY_SOAK` one; where a rule is about what a client says or gets, both are named in its test.
 */
export function erasOf(usual: Era): Era[] {
  return SOAK > 1 ? ['legacy', 'modern'] : [usual]
}
