import * as z from 'zod/mini'
import { EntryId } from '../entries/entry.ts'
import { Text } from '../text/text.ts'

export const BRIDGE = 'bridge'

export const BridgeCommand = z.object({ type: z.literal('ack'), id: EntryId, message: Text })
export type BridgeCommand = z.infer<typeof BridgeCommand>

/** `quick_replies` and `reply` are ours: a client that knows of them shows both sides of the history. */
export const AgentMessage = z.object({
  type: z.literal('agentMessage'),
  text: z.string(),
  ack_id: z.string(),
  quick_replies: z.optional(z.array(z.string())),
  reply: z.optional(z.string()),
})
export type AgentMessage = z.infer<typeof AgentMessage>

export const Connected = z.object({
  type: z.literal('connected'),
  history: z.array(AgentMessage),
  pendingAckId: z.optional(z.string()),
  /** Ours too: what was said before that is more than one frame takes. */
  has_older: z.optional(z.boolean()),
})
export type Connected = z.infer<typeof Connected>
