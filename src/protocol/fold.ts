import * as z from 'zod/mini'
import { type Attachment, Attachments, gistOfFiles } from './attachment.ts'
import { Approval, BEFORE_ALL, type Entry, EntryId, Options, QuickReplies } from './entry.ts'
import { unreachable } from './unreachable.ts'

export const OpenQuestion = z.object({
  id: EntryId,
  at: z.number(),
  by: z.string(),
  text: z.string(),
  quick_replies: z.optional(QuickReplies),
  options: z.optional(Options),
  multi_select: z.optional(z.boolean()),
  approval: z.optional(Approval),
  attachments: z.optional(Attachments),
  expires_at: z.optional(z.number()),
})

/** An answered question whose reply the agent has not yet proven to have. */
export const UnreadReply = z.object({
  question: EntryId,
  /** Who asked; unknown in what an older Parley stored. */
  by: z.optional(z.string()),
  asked: z.string(),
  settlement: EntryId,
  delivered: z.boolean(),
})

/** A tool that needs no verdict here any more, by whom and since which entry. */
export const Grant = z.object({ tool_name: z.string(), by: z.string(), since: z.string() })

/** What a conversation is now, in a size that does not depend on its length. Server and browser fold the same. */
export const Conversation = z.object({
  id: z.string(),
  title: z.string(),
  last: z.string(),
  last_at: z.number(),
  preview: z.string(),
  open: z.array(OpenQuestion),
  replies: z.array(UnreadReply),
  /** Ids of the person's messages: the last one, up to where they are delivered and read, and the last that says stop. */
  messages: z.object({ last: z.string(), delivered: z.string(), read: z.string(), stop: z.optional(z.string()) }),
  /** Unknown in what an older Parley stored. */
  always: z.optional(z.array(Grant)),
})

export type OpenQuestion = z.infer<typeof OpenQuestion>
export type UnreadReply = z.infer<typeof UnreadReply>
export type Grant = z.infer<typeof Grant>
export type Conversation = z.infer<typeof Conversation>

const PREVIEW_LENGTH = 120

export function emptyConversation(id: string): Conversation {
  return {
    id,
    title: id,
    last: BEFORE_ALL,
    last_at: 0,
    preview: '',
    open: [],
    replies: [],
    messages: { last: BEFORE_ALL, delivered: BEFORE_ALL, read: BEFORE_ALL },
  }
}

/** Folding an entry twice changes nothing, so history and live delivery may overlap. */
export function fold(state: Conversation, entry: Entry): Conversation {
  if (entry.id <= state.last) return state
  const next = { ...state, last: entry.id, last_at: entry.at }
  const { body } = entry
  switch (body.kind) {
    case 'message':
      next.preview = body.mime?.startsWith('image/') ? 'Image' : preview(body.text, body.attachments)
      if (body.author === 'user') next.messages = { ...state.messages, last: entry.id }
      if (body.interrupt) next.messages.stop = entry.id
      return next
    case 'question': {
      const { kind: _, ...question } = body
      next.preview = body.approval ? `Wants to use ${body.approval.tool_name}` : preview(body.text)
      next.open = [...state.open, { id: entry.id, at: entry.at, ...question }]
      return next
    }
    case 'settlement': {
      const question = state.open.find((open) => open.id === body.question)
      next.open = state.open.filter((open) => open !== question)
      if (question && body.reply !== undefined) {
        next.preview = preview(body.reply, body.attachments)
        next.replies = [
          ...state.replies,
          { question: question.id, by: question.by, asked: question.text, settlement: entry.id, delivered: false },
        ]
      }
      if (question?.approval && body.always === 'granted') {
        const { tool_name } = question.approval
        next.always = [...without(tool_name, state), { tool_name, by: body.by, since: entry.id }]
      }
      return next
    }
    case 'revocation':
      next.always = without(body.tool_name, state)
      return next
    case 'receipt': {
      const replies = new Set(body.replies)
      const upTo = body.messages_to ?? BEFORE_ALL
      if (body.state === 'read') {
        next.replies = state.replies.filter((reply) => !replies.has(reply.settlement))
        next.messages = {
          ...state.messages,
          delivered: later(state.messages.delivered, upTo),
          read: later(state.messages.read, upTo),
        }
      } else {
        next.replies = state.replies.map((reply) =>
          replies.has(reply.settlement) ? { ...reply, delivered: true } : reply,
        )
        next.messages = { ...state.messages, delivered: later(state.messages.delivered, upTo) }
      }
      return next
    }
    case 'permitted_call':
    case 'tool_call':
    case 'tool_result':
    case 'thinking':
    case 'progress':
    case 'error':
    case 'turn':
    case 'unknown':
      return next
    case 'title':
      next.title = body.title
      return next
    default:
      return unreachable(body)
  }
}

function preview(text: string, files: Attachment[] = []): string {
  return text.slice(0, PREVIEW_LENGTH).replace(/\s+/g, ' ').trim() || gistOfFiles(files)
}

function without(tool: string, { always = [] }: Conversation): Grant[] {
  return always.filter(({ tool_name }) => tool_name !== tool)
}

function later(a: string, b: string): string {
  return a > b ? a : b
}
