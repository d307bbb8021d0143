import type { Surface } from '../surface.ts'
import { assistantEvent, assistantPost, type ChatParts } from '../tools/chat-tools.ts'
import { readAndAdvance, readSince } from '../tools/reading-tools.ts'

/** The assistant's side of the chat, for runtimes and orchestrators. */
export function assistantSurface(parts: ChatParts): Surface {
  return {
    name: 'parley-assistant',
    instructions:
      'Catch up with chat_read_since, answer with chat_assistant_post, and show your work with chat_assistant_event.',
    tools: [readSince(parts), assistantPost(parts), assistantEvent(parts)],
    unlisted: [readAndAdvance(parts)],
  }
}
