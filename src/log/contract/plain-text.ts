import type { TextOf } from '../search.ts'

/** What can be found of the bodies of these tests: a text as it is, and of a number `n7n`, so that 7 is not found in 17. */
export const textOf: TextOf = (body) => {
  if (typeof body === 'string') return body
  return typeof body === 'number' ? `n${body}n` : undefined
}

/** Where an engine finds it. */
export const PLAIN_TEXT = new URL(import.meta.url)
