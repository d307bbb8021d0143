import * as z from 'zod/mini'
import { Name } from '../text/text.ts'

/** What people and agents said, what was asked and answered, and everything else that agents do. */
const SEARCH_KINDS = ['message', 'question', 'tool'] as const
export const SearchKind = z.enum(SEARCH_KINDS, `must be one of ${SEARCH_KINDS.join(', ')}`)
export type SearchKind = z.infer<typeof SearchKind>

const MOST_NAMES = 50
const Names = z
  .array(Name, 'must be a list of names')
  .check(z.minLength(1, 'names none'), z.maxLength(MOST_NAMES, `has more than ${MOST_NAMES} names`))

/** What a search leaves out: everything that is not so. */
export const searchFilter = {
  kinds: z.optional(
    z
      .array(SearchKind, 'must be a list of kinds')
      .check(z.minLength(1, 'names no kind'), z.maxLength(SEARCH_KINDS.length, 'names a kind twice')),
  ),
  /** The agent's name as its entries have it, or several of which one is enough. */
  agent: z.optional(z.union([Name, Names], 'must be a name or a list of names')),
  /** Names of folders, or patterns of them, of which one is enough. */
  folders: z.optional(Names),
  /** Only in conversations with an open question. */
  waiting: z.optional(z.literal(true, 'must be true')),
  files: z.optional(z.literal(true, 'must be true')),
  /** Milliseconds since 1970. */
  since: z.optional(z.number('must be milliseconds since 1970')),
  /** Not from this moment on. */
  until: z.optional(z.number('must be milliseconds since 1970')),
}
const SearchFilter = z.object(searchFilter)
export type SearchFilter = z.infer<typeof SearchFilter>
