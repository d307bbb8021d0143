import * as z from 'zod/mini'
import { Body, EntryId, Question, Receipt } from './entry.ts'
import { Name } from './text.ts'

/** Where a hub lets processes of the same data folder take a seat. */
export const JOIN_PATH = '/join'

const id = z.number()
const Given = z.object({
  messages_to: z.optional(EntryId),
  replies: z.array(EntryId),
  replies_to: z.optional(EntryId),
  stop: z.optional(EntryId),
  awaited: z.array(EntryId),
  busy: z.optional(z.boolean()),
})
const Wanted = z.object({ alone: z.optional(z.boolean()), withdrawn: z.optional(EntryId) })
const { kind: _, asker: __, fingerprint: ___, ...question } = Question.shape

/** From a process that joined: one seat in one conversation. What has an `id` gets an answer. */
export const JoinRequest = z.discriminatedUnion('op', [
  z.object({ op: z.literal('enter'), conversation: Name }),
  z.object({ op: z.literal('asks') }),
  z.object({ op: z.literal('got_answer') }),
  z.object({
    op: z.literal('ask'),
    id,
    questions: z.array(z.object({ ...question, key: Name })),
    title: Name,
    given: Given,
    read: z.optional(Receipt),
  }),
  z.object({ op: z.literal('outcome'), id, question: EntryId }),
  /** Ends the wait of that request, not the question. */
  z.object({ op: z.literal('cancel'), id }),
  z.object({ op: z.literal('still_open'), id, questions: z.array(EntryId) }),
  z.object({ op: z.literal('withdraw'), id, questions: z.array(EntryId) }),
  z.object({ op: z.literal('unread'), id, given: Given, wanted: Wanted }),
  z.object({ op: z.literal('tell'), id, body: Body, title: Name, key: Name }),
  z.object({ op: z.literal('note'), id, receipt: Receipt }),
])
export type JoinRequest = z.infer<typeof JoinRequest>

export const JoinAnswer = z.object({
  id,
  result: z.optional(z.unknown()),
  error: z.optional(z.object({ code: z.string(), details: z.record(z.string(), z.union([z.string(), z.number()])) })),
})
export type JoinAnswer = z.infer<typeof JoinAnswer>
