import * as z from 'zod/mini'
import { Name } from '../text/text.ts'

export const Title = z.object({
  kind: z.literal('title'),
  title: Name,
  /** Where the agent works that began the conversation. */
  folder: z.optional(z.string()),
  /** An agent changed it. */
  by_agent: z.optional(z.literal(true)),
  /** It changes nothing: the agent wanted it, and it is called so already, or a person had named it otherwise. */
  overruled: z.optional(z.literal(true)),
})

export type Title = z.infer<typeof Title>
