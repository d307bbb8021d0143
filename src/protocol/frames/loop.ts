import * as z from 'zod/mini'
import { Name, Text } from '../text/text.ts'

export const LOOP = 'loop'

/** Clients that keep an empty field for it name no conversation. */
const Session = z.pipe(
  z.transform((session) => (session === null || session === '' ? undefined : session)),
  z.optional(Name),
)
export const LoopCommand = z.object({ type: z.literal('chat'), message: Text, session_id: z.optional(Session) })
export type LoopCommand = z.infer<typeof LoopCommand>

export const LoopFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user_message'), message: z.string() }),
  z.object({ type: z.literal('agent_message'), message: z.string() }),
  z.object({ type: z.literal('tool_call'), tool_name: z.string(), tool_args: z.string() }),
  z.object({ type: z.literal('tool_result'), tool_name: z.string(), result: z.string(), success: z.boolean() }),
  z.object({ type: z.literal('agent_thinking'), reasoning: z.string() }),
  z.object({ type: z.literal('error'), error: z.string() }),
])
export type LoopFrame = z.infer<typeof LoopFrame>
