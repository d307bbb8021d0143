import * as z from 'zod/mini'
import { Name, Text } from '../text/text.ts'

/**
 * Something that was said or done before the conversation began, in what it goes on from: it is shown, and is neither a
 * message nor a deed here.
 */
export const Earlier = z.object({
  kind: z.literal('earlier'),
  by: Name,
  /** Whose words it was, a thought of the agent, or a call of a tool. */
  what: z.enum(['user', 'assistant', 'thinking', 'tool'], 'must be user, assistant, thinking or tool'),
  text: Text,
  tool_name: z.optional(Name),
  /** The lease under which it was written, where several hubs share a log. */
  lease: z.optional(z.number()),
})
export type Earlier = z.infer<typeof Earlier>
