import * as z from 'zod/mini'
import type { View } from '../chat/view.ts'
import { BEFORE_ALL, Body, type Deed, type Entry, EntryId } from '../protocol/entry.ts'
import { INBOX_LIMIT, InboxMessage } from '../protocol/inbox.ts'
import { parse } from '../protocol/parse.ts'
import type { Principal } from '../protocol/principal.ts'
import { Mime, Name, Text } from '../protocol/text.ts'
import { type Tool, tool } from './surface.ts'

/** Where words go when neither the caller nor its token names a conversation. */
export const DEFAULT_CONVERSATION = 'chat'

export interface ChatParts {
  /** The chat as this principal may use it. */
  viewOf(principal: Principal): View
  /** The conversation a principal of this name is bound to; throws when there is none of this name. */
  bindingOf(subscriber: string): string | undefined
}

const limitText = `must be from 1 to ${INBOX_LIMIT}`
const where = {
  session_id: z.optional(Name.check(z.describe('The conversation; yours, or the common one, when absent.'))),
  key: z.optional(Name.check(z.describe('A name of your making for this post: sent again with it, it happens once.'))),
}
const ReadSince = z.object({
  after_id: z.optional(EntryId.check(z.describe('The id of the last message you have; all messages when absent.'))),
  limit: z.optional(
    z
      .int(limitText)
      .check(z.minimum(1, limitText), z.maximum(INBOX_LIMIT, limitText), z.describe('At most this many.')),
  ),
  session_id: where.session_id,
  subscriber: z.optional(Name.check(z.describe('For administrators: read as the principal of this name.'))),
})
const Read = z.object({ messages: z.array(InboxMessage), last_id: z.string() })
const Posting = z.object({ mime: Mime, content: Text, ...where })
const Posted = z.object({ id: z.string(), ts: z.string() })
const Event = z.object({
  type: z.enum(
    ['tool_call', 'tool_result', 'thinking', 'progress', 'error'],
    'must be tool_call, tool_result, thinking, progress or error',
  ),
  tool_name: z.optional(z.string('must be text')),
  tool_args: z.optional(z.string('must be text').check(z.describe('The arguments as JSON text.'))),
  result: z.optional(z.string('must be text')),
  success: z.optional(z.boolean('must be true or false')),
  reasoning: z.optional(z.string('must be text')),
  text: z.optional(z.string('must be text')),
  error: z.optional(z.string('must be text')),
  ...where,
})

/** Catches up with what was said, whoever asks and however often. */
export function readSince({ viewOf, bindingOf }: ChatParts): Tool {
  return tool({
    name: 'chat_read_since',
    alias: 'chat.read_since',
    title: 'Read messages since',
    description: `Returns the messages after the one with id after_id, oldest first, at most ${INBOX_LIMIT}, and last_id to go on from. Keep last_id yourself: the hub keeps no watermark for you, so nothing is skipped after a crash.`,
    needs: 'read',
    input: ReadSince,
    output: Read,
    async call({ after_id = BEFORE_ALL, limit = INBOX_LIMIT, session_id, subscriber }, { principal }) {
      const view = viewOf(principal)
      const reader = subscriber === undefined ? view : view.asSubscriber(() => named(subscriber))
      return reader.inbox.readSince(session_id, after_id, limit)
    },
  })

  function named(subscriber: string): Principal {
    return { id: subscriber, name: subscriber, role: 'human', conversation: bindingOf(subscriber) }
  }
}

export function humanPost({ viewOf }: ChatParts): Tool {
  return tool({
    name: 'chat_human_post',
    alias: 'chat.human.post',
    title: 'Post as the person',
    description: 'Posts a message of the person. Subscribers of the inbox are notified.',
    needs: 'speak',
    input: Posting,
    output: Posted,
    async call({ mime, content: text, session_id, key }, { principal, callKey }) {
      const view = viewOf(principal)
      return posted(await view.say(place(view, session_id), { text, mime }, key ?? callKey))
    },
  })
}

export function assistantPost(parts: ChatParts): Tool {
  return assistantSays(parts, {
    name: 'chat_assistant_post',
    alias: 'chat.assistant.post',
    title: 'Post as the assistant',
    description:
      'Posts a message of the assistant. The person sees it at once; nobody is notified, so you never hear your own echo.',
  })
}

type About = Pick<Tool, 'name' | 'alias' | 'title' | 'description'>

/** A message of the assistant, under whatever name a surface gives it. */
export function assistantSays({ viewOf }: ChatParts, about: About): Tool {
  return tool({
    ...about,
    needs: 'ask',
    input: Posting,
    output: Posted,
    async call({ mime, content: text, session_id, key }, { principal, client: by, callKey }) {
      const view = viewOf(principal)
      return posted(await view.tell(place(view, session_id), { by, text, mime }, key ?? callKey))
    },
  })
}

export function assistantEvent({ viewOf }: ChatParts): Tool {
  return tool({
    name: 'chat_assistant_event',
    alias: 'chat.assistant.event',
    title: 'Tell what the assistant does',
    description:
      'Shows the person what you are doing: tool_call (tool_name, tool_args), tool_result (tool_name, result, success), thinking (reasoning), progress (text) or error (error).',
    needs: 'ask',
    input: Event,
    output: Posted,
    async call({ type, session_id, key, ...told }, { principal, client, callKey }) {
      const deed = parse(Body, { kind: type, by: client, ...told }) as Deed
      const view = viewOf(principal)
      return posted(await view.record(place(view, session_id), deed, key ?? callKey))
    },
  })
}

/** Ends the assistant's turn, under whatever name a surface gives it. */
export function endTurn({ viewOf }: ChatParts, about: About): Tool {
  return tool({
    ...about,
    needs: 'ask',
    input: z.object(where),
    output: Posted,
    async call({ session_id, key }, { principal, client, callKey }) {
      const view = viewOf(principal)
      return posted(await view.record(place(view, session_id), { kind: 'turn', by: client }, key ?? callKey))
    },
  })
}

function place({ only }: View, session_id: string | undefined): string {
  return session_id ?? only ?? DEFAULT_CONVERSATION
}

function posted({ id, at }: Entry) {
  return { id, ts: new Date(at).toISOString() }
}
