import { assistantSays, type ChatParts, endTurn } from './chat-tools.ts'
import type { Surface } from './surface.ts'

/** The legacy server, kept while its clients move to the assistant and loop surfaces; the same log behind it. */
export function uiSurface(parts: ChatParts): Surface {
  return {
    name: 'parley-ui',
    instructions: 'Deprecated: use chat_assistant_post of the assistant surface and yield_turn of the loop surface.',
    tools: [
      assistantSays(parts, {
        name: 'send_message',
        title: 'Send a message (deprecated)',
        description: 'Deprecated: use chat_assistant_post. Posts a message of the assistant and does not wait.',
      }),
      endTurn(parts, {
        name: 'end_turn',
        title: 'End the turn (deprecated)',
        description: 'Deprecated: use yield_turn. Ends your turn.',
      }),
    ],
  }
}
