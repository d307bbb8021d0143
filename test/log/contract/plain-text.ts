import type { TextOf } from '../../../src/log/search/search.ts'

/**
 * What can be found of the bodies of these tests: a text as it is, of a number `n7n`, so that 7 is not found in 17, and
 * of an object what it says; it is shown without asterisks.
 */
export const textOf: TextOf = (body) => {
  if (typeof body === 'string') return { text: body }
  if (typeof body === 'number') return { text: `n${body}n` }
  const { text, tags } = (body ?? {}) as { text?: string; tags?: string[] }
  return text === undefined ? undefined : { text, tags, shown: () => text.replaceAll('*', '') }
}

/** Where an engine finds it. */
export const PLAIN_TEXT = new URL(import.meta.url)
