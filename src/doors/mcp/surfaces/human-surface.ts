import type { Surface } from '../surface.ts'
import { type ChatParts, humanPost } from '../tools/chat-tools.ts'
import { readAndAdvance, readSince } from '../tools/reading-tools.ts'

/** The person's side of the chat, for frontends and for programs that speak for a person. */
export function humanSurface(parts: ChatParts): Surface {
  return {
    name: 'parley-human',
    instructions:
      'Read and subscribe to ui://chat/inbox, catch up with chat_read_since, and speak as the person with chat_human_post.',
    tools: [readSince(parts), humanPost(parts)],
    unlisted: [readAndAdvance(parts)],
  }
}
