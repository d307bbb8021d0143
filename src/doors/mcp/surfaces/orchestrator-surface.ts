import type { Surface } from '../surface.ts'
import { assistantEvent, assistantPost, type ChatParts, yieldTurn } from '../tools/chat-tools.ts'
import { drivingTools } from '../tools/driving-tools.ts'
import { leaseTools } from '../tools/lease-tools.ts'
import { readSince } from '../tools/reading-tools.ts'

/** The surface for programs that drive agents: what people say, and everything that an agent says and does. */
export function orchestratorSurface(parts: ChatParts): Surface {
  return {
    name: 'parley-orchestrator',
    instructions:
      'Subscribe to ui://chat/inbox and ui://chat/events, and catch up with chat_read_since and read_events. Hold a conversation before you drive its agent, and say with receive_messages what you give to it: only that counts as received.',
    tools: [
      ...leaseTools(parts),
      ...drivingTools(parts),
      readSince(parts),
      assistantPost(parts),
      assistantEvent(parts),
      yieldTurn(parts),
    ],
  }
}
