import { ParleyError } from './errors.ts'
import { nearest } from './text/nearest.ts'

/**
 * An error for input that was not understood, with the nearest valid thing where there is one, or else where to read
 * more.
 */
export function usage(problem: string, { wrong = '', known = [] as readonly string[], help = 'parley help' } = {}) {
  const hint = nearest(wrong, [...known])
  return new ParleyError('usage', { problem: `${problem}; ${hint ? `did you mean ${hint}?` : `see ${help}`}` })
}
