import * as z from 'zod/mini'
import { isForDriver } from '../entries/agent.ts'
import { AgentState } from '../entries/agent-state.ts'
import { type Attachment, attachmentUri, inWords } from '../entries/attachment.ts'
import { contentOf } from '../entries/content.ts'
import type { Entry } from '../entries/entry.ts'
import { beginningOfText, revisionInWords } from '../entries/revision.ts'
import { percentDecoded } from '../text/percent-decoded.ts'

export { isInboxMessage } from '../entries/said.ts'

export const INBOX = 'ui://chat/inbox'
export const STATUS = 'ui://agent/status'
/** How many messages the resource shows at the most. */
export const INBOX_LIMIT = 1000
/**
 * What the messages of one answer may take as JSON; a single one comes whatever it takes. An MCP answer has them twice,
 * once as text, and 4 MiB took the hub 100 ms.
 */
export const ANSWER_BYTES = 1024 * 1024

/** A message as the inbox document shows it; `session_id` is ours and tells conversations apart. */
export const InboxMessage = z.object({
  id: z.string(),
  ts: z.string(),
  author: z.enum(['user', 'assistant']),
  mime: z.string(),
  /** Text, or the JSON value that was posted. */
  content: z.unknown(),
  session_id: z.string(),
  /** The message it answers, where a person said so: its id and its beginning. */
  in_reply_to: z.optional(z.object({ id: z.string(), text: z.optional(z.string()) })),
  /** The earlier message that it gives other words to, or takes back; that one keeps its own. */
  revises: z.optional(z.string()),
  taken_back: z.optional(z.literal(true)),
  /** The question that it is the reply to. */
  settles: z.optional(z.string()),
  /** The person wants the agent to stop. */
  interrupt: z.optional(z.literal(true)),
  /** It tells another agent what became of its call: nothing that a person said to the one that is driven. */
  of_other_agent: z.optional(z.literal(true)),
  /** The runner that the person gave the conversation to. */
  runner: z.optional(z.string()),
  /** Ours too: each can be read as a resource. */
  attachments: z.optional(z.array(z.object({ name: z.string(), mime: z.string(), size: z.number(), uri: z.string() }))),
})
export type InboxMessage = z.infer<typeof InboxMessage>

export const Inbox = z.object({
  last_id: z.string(),
  messages: z.array(InboxMessage),
  has_older: z.optional(z.boolean()),
})
export type Inbox = z.infer<typeof Inbox>

/** Messages after a watermark; `last_id` is where to go on. */
export const InboxPage = z.object({ messages: z.array(InboxMessage), last_id: z.string(), has_more: z.boolean() })
export type InboxPage = z.infer<typeof InboxPage>

export const AgentStatus = z.object({
  type: z.enum(['local', 'ui']),
  ui: z.object({
    ready: z.boolean(),
    /** Why not. */
    reason: z.optional(z.string()),
  }),
  agent: z.object({ state: AgentState, since: z.string() }),
})
export type AgentStatus = z.infer<typeof AgentStatus>

export function inboxUri(conversation?: string): string {
  return conversation === undefined ? INBOX : `${INBOX}/${encodeURIComponent(conversation)}`
}

/** The conversation a URI of the inbox names, `undefined` for the bare one, `null` when it is no URI of the inbox. */
export function conversationIn(uri: string): string | undefined | null {
  if (uri === INBOX) return undefined
  if (!uri.startsWith(`${INBOX}/`)) return null
  return percentDecoded(uri.slice(INBOX.length + 1)) || null
}

/** The beginning of what an entry says, for whoever has to know which one is meant. */
export function beginningOf(entry: Entry | undefined): string | undefined {
  const message = entry && inboxMessage(entry)
  return typeof message?.content === 'string' ? beginningOfText(message.content) : undefined
}

/** What an entry says in words: messages, questions and the replies to them. Everything else is no message. */
export function inboxMessage({ id, at, conversation, body }: Entry): InboxMessage | undefined {
  const common = { id, ts: new Date(at).toISOString(), session_id: conversation }
  if (body.kind === 'message') {
    if (body.revised === 'taken_back') return undefined
    const { author, text, mime = 'text/markdown', attachments, interrupt } = body
    if (body.structured) return { ...common, author, mime, content: contentOf(body) }
    const isOthers = body.call_id !== undefined && !isForDriver(body.visit)
    return {
      ...common,
      author,
      mime,
      ...shown(text, attachments),
      ...(interrupt && { interrupt }),
      ...(isOthers && { of_other_agent: true }),
    }
  }
  if (body.kind === 'revision') {
    const { message: revises, text, mime = 'text/markdown', attachments } = body
    if (text !== undefined) return { ...common, author: 'user', mime, ...shown(text, attachments), revises }
    const content = revisionInWords(body)
    return { ...common, author: 'user', mime: 'text/markdown', content, revises, taken_back: true }
  }
  if (body.kind === 'question')
    return { ...common, author: 'assistant', mime: 'text/markdown', ...shown(body.text, body.attachments) }
  if (body.kind === 'settlement' && body.reply !== undefined)
    return {
      ...common,
      author: 'user',
      mime: 'text/markdown',
      ...shown(body.reply, body.attachments),
      settles: body.question,
    }
}

/** Clients that know nothing of attachments read their names. */
function shown(text: string, files: Attachment[] | undefined) {
  if (!files) return { content: text }
  const attachments = files.map(({ hash, name, mime, size }) => ({
    name,
    mime,
    size,
    uri: attachmentUri({ hash, name }),
  }))
  return { content: inWords(text, files), attachments }
}
