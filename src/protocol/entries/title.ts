import * as z from 'zod/mini'
import { Name } from '../text/text.ts'

export const Title = z.object({
  kind: z.literal('title'),
  title: Name,
  /** Where the agent works that began the conversation. */
  folder: z.optional(z.string()),
  /** How the mark of its agent looks, among those with the same letters. */
  look: z.optional(z.int()),
  /** An agent changed it. */
  by_agent: z.optional(z.literal(true)),
  /** It changes nothing: the agent wanted it, and the conversation has it already or a better one. */
  overruled: z.optional(z.literal(true)),
})

export type Title = z.infer<typeof Title>

/** What an agent is told first that goes on from another conversation: not the person's words, and no title. */
export const GOES_ON = 'This conversation goes on from an earlier one.'
