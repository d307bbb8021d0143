import type { Surface, Tool } from '../surface.ts'
import {
  assistantEvent,
  assistantPost,
  assistantSays,
  type ChatParts,
  endTurn,
  humanPost,
  yieldTurn,
} from '../tools/chat-tools.ts'
import { readAndAdvance, readSince } from '../tools/reading-tools.ts'

/** The legacy server, kept while its clients move to the assistant and loop surfaces; the same log behind it. */
export function uiSurface(parts: ChatParts): Surface {
  const [read, ...others] = uiChatTools(parts)
  return {
    name: 'parley-ui',
    instructions: 'Deprecated: use chat_assistant_post of the chat surface and yield_turn of the loop surface.',
    tools: [...legacyTools(parts), read],
    unlisted: others,
  }
}

/** The documents find every chat tool at this server, also when what is deprecated of it is gone. */
export function uiChatTools(parts: ChatParts): [Tool, ...Tool[]] {
  return [
    readSince(parts),
    readAndAdvance(parts),
    humanPost(parts),
    assistantPost(parts),
    assistantEvent(parts),
    yieldTurn(parts),
  ]
}

/** The deprecated tools. Another server that has them too calls them by the name of this one. */
export function legacyTools(parts: ChatParts, server = ''): [Tool, Tool] {
  const [send, end] = [`${server}send_message`, `${server}end_turn`]
  return [
    assistantSays(parts, {
      name: send,
      servers: ['ui'],
      title: 'Send a message (deprecated)',
      description: 'Deprecated: use chat_assistant_post. Posts a message of the assistant and does not wait.',
      deprecated: `Use chat_assistant_post instead of ${send}; --no-legacy-ui takes the latter away`,
    }),
    endTurn(parts, {
      name: end,
      servers: ['ui'],
      title: 'End the turn (deprecated)',
      description: 'Deprecated: use yield_turn. Ends your turn.',
      deprecated: `Use yield_turn instead of ${end}; --no-legacy-ui takes the latter away`,
    }),
  ]
}
