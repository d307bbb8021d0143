import * as z from 'zod/mini'
import { EntryId } from './entry.ts'
import { Text } from './text.ts'

export const BRIDGE = 'bridge'

export const BridgeCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ack'), id: EntryId, message: Text }),
])
export type BridgeCommand = z.infer<typeof BridgeCommand>

/** `reply` is ours: it lets a client that knows of it show both sides of the history. */
export const AgentMessage = z.object({
  type: z.literal('agentMessage'),
  text: z.string(),
  ack_id: z.string(),
  quick_replies: z.optional(z.array(z.string())),
  reply: z.optional(z.string()),
})
export type AgentMessage = z.infer<typeof AgentMessage>

export const BridgeFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('connected'), history: z.array(AgentMessage), pendingAckId: z.optional(z.string()) }),
  AgentMessage,
  z.object({ type: z.literal('error'), error: z.string(), code: z.string() }),
])
export type BridgeFrame = z.infer<typeof BridgeFrame>
