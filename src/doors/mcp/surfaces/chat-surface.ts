import type { Surface } from '../surface.ts'
import { assistantPost, type ChatParts, humanPost } from '../tools/chat-tools.ts'
import { readAndAdvance, readSince } from '../tools/reading-tools.ts'

/** Both sides of the chat at one server, as the inbox document has it: each role sees its own tools. */
export function chatSurface(parts: ChatParts): Surface {
  return {
    name: 'parley-chat',
    instructions:
      'Read and subscribe to ui://chat/inbox, catch up with chat_read_since, speak as the person with chat_human_post and as the assistant with chat_assistant_post.',
    tools: [readSince(parts), humanPost(parts), assistantPost(parts)],
    unlisted: [readAndAdvance(parts)],
    byRole: true,
  }
}
