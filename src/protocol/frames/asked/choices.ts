import * as z from 'zod/mini'
import { Name } from '../../text/text.ts'

/** `POST {"conversation": …, "list": …}`: a page of what can be chosen, also of what was left out of a long list. */
export const CHOICES_PATH = '/api/choices'

const LONGEST_QUERY = 200
const notWhole = 'must be a whole number from 0 on'

/** What is looked for in which list, and where it goes on. */
export const wantedChoices = {
  list: z.enum(['modes', 'models', 'commands'], 'must be modes, models or commands'),
  /** Words of its name, id or description, in any order; all of them count where there are none. */
  query: z.optional(
    z.string('must be text').check(z.maxLength(LONGEST_QUERY, `is longer than ${LONGEST_QUERY} characters`)),
  ),
  /** The `next` of the page before. */
  after: z.optional(z.int(notWhole).check(z.minimum(0, notWhole))),
}
const WantedChoices = z.object(wantedChoices)
export type WantedChoices = z.infer<typeof WantedChoices>

export const ChoicesQuery = z
  .object({ conversation: z.optional(Name), runner: z.optional(Name), ...wantedChoices })
  .check(
    z.refine(({ conversation, runner }) => (conversation === undefined) !== (runner === undefined), {
      error: 'must name a conversation or a runner, and not both',
      path: ['conversation'],
    }),
  )
export type ChoicesQuery = z.infer<typeof ChoicesQuery>

const FoundChoice = z.object({
  /** Of a command, its name. */
  id: Name,
  name: z.string(),
  description: z.optional(z.string()),
})
export type FoundChoice = z.infer<typeof FoundChoice>

/** Those that fit, the best first. */
export const ChoicesPage = z.object({
  /** At most 100. */
  found: z.array(FoundChoice),
  /** How many fit, on all pages. */
  total: z.number(),
  /** Where the next page begins, if there is one. */
  next: z.optional(z.number()),
})
export type ChoicesPage = z.infer<typeof ChoicesPage>

const PAGE = 100

/** A page of those in a list that have all the words: first what is called so, then what its name has, then the others. */
export function pageOf(all: readonly FoundChoice[], { query = '', after = 0 }: WantedChoices): ChoicesPage {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const ranked: FoundChoice[][] = [[], [], []]
  for (const one of all) ranked[rankOf(one, words)]?.push(one)
  const fitting = ranked.flat()
  const end = after + PAGE
  return { found: fitting.slice(after, end), total: fitting.length, ...(end < fitting.length && { next: end }) }
}

/** None for what does not fit. */
function rankOf({ id, name, description = '' }: FoundChoice, words: string[]): number {
  const called = `${id}\n${name}`.toLowerCase()
  const [first] = words
  const has = (text: string) => words.every((word) => text.includes(word))
  if (first === undefined) return 0
  if (has(called)) return called.startsWith(first) || called.includes(`\n${first}`) ? 0 : 1
  return has(`${called}\n${description.toLowerCase()}`) ? 2 : -1
}
