import * as z from 'zod/mini'
import { AttachmentClaims } from './attachment.ts'
import { Entry, EntryId } from './entry.ts'
import { Conversation } from './fold.ts'
import { Name, Query, Text, Words } from './text.ts'

/** The dialect of our own page. */
export const TIMELINE = 'timeline'
export const PAGE_LIMIT = 100

const limitText = `must be from 1 to ${PAGE_LIMIT}`
const PageLimit = z.int(limitText).check(z.minimum(1, limitText), z.maximum(PAGE_LIMIT, limitText))

const Choices = z.array(z.string('must be text'), 'must be a list of texts').check(z.maxLength(20, 'has more than 20'))

/** Words, files or both; the files were uploaded before. */
const said = { text: Words, attachments: z.optional(AttachmentClaims) }
const saysSomething = z.refine<{ text: string; attachments?: unknown[] }>(
  ({ text, attachments = [] }) => text.trim() !== '' || attachments.length > 0,
  { error: 'must not be empty', path: ['text'] },
)

/**
 * `working`: attached and not asking; `waiting`: a call of it waits for a reply; `backgrounded`: it asked and went on,
 * and gets the reply with its next call; `gone`: nobody would receive a message now.
 */
export const AgentState = z.enum(['working', 'waiting', 'backgrounded', 'gone'])
export type AgentState = z.infer<typeof AgentState>

/** From the page. Each command carries a key of the client's making; sent again with the same key it happens once. */
export const TimelineCommand = z.discriminatedUnion('type', [
  /** The first frame. `cursor` is the last id this page has seen, `conversation` the one it shows. */
  z.object({ type: z.literal('hello'), cursor: z.optional(EntryId), conversation: z.optional(Name) }),
  /** A page that ends before an entry, begins after one, or has one or the first of a moment in its middle. */
  z.object({
    type: z.literal('read'),
    key: Name,
    conversation: Name,
    before: z.optional(EntryId),
    after: z.optional(EntryId),
    around: z.optional(EntryId),
    /** Milliseconds since 1970. */
    around_time: z.optional(z.number('must be milliseconds since 1970')),
    limit: z.optional(PageLimit),
  }),
  /** Conversations whose last entry is older than `before`, newest first. */
  z.object({ type: z.literal('list'), key: Name, before: z.optional(EntryId) }),
  z.object({ type: z.literal('post'), key: Name, conversation: Name, ...said }).check(saysSomething),
  z.object({ type: z.literal('answer'), key: Name, question: EntryId, ...said }).check(saysSomething),
  z.object({ type: z.literal('choose'), key: Name, question: EntryId, choices: Choices }),
  /** `always`: its tool, in its conversation, from now on; the changed `input` is for this call only. */
  z.object({
    type: z.literal('allow'),
    key: Name,
    question: EntryId,
    input: z.optional(z.string('must be text')),
    always: z.optional(z.literal(true, 'must be true')),
  }),
  z.object({ type: z.literal('deny'), key: Name, question: EntryId, reason: z.optional(Text) }),
  /** A tool that is always allowed in the conversation is asked about again. */
  z.object({ type: z.literal('revoke'), key: Name, conversation: Name, tool_name: Name }),
  /** Stop: the agent's waiting or next call is told so, with these words if there are any. */
  z.object({ type: z.literal('interrupt'), key: Name, conversation: Name, text: z.optional(Text) }),
  z.object({ type: z.literal('rename'), key: Name, conversation: Name, title: Name }),
  /** `before` is the `next` of the page of hits before. */
  z.object({
    type: z.literal('search'),
    key: Name,
    query: Query,
    before: z.optional(EntryId),
    conversation: z.optional(Name),
  }),
])
export type TimelineCommand = z.infer<typeof TimelineCommand>

/** An entry that was found: a line of it, and the places in that line that match, as UTF-16 units. */
export const Hit = z.object({
  id: EntryId,
  conversation: z.string(),
  title: z.string(),
  at: z.number(),
  snippet: z.object({ text: z.string(), ranges: z.array(z.tuple([z.number(), z.number()])) }),
})
export type Hit = z.infer<typeof Hit>

export const TimelineFrame = z.discriminatedUnion('type', [
  /**
   * Answers `hello`. `resumed`: the entries after the cursor follow, the page keeps what it shows.
   * Otherwise the page starts anew from `conversations` and the page of the conversation it shows, which follows.
   */
  z.object({
    type: z.literal('welcome'),
    cursor: EntryId,
    resumed: z.boolean(),
    conversations: z.array(Conversation),
    has_more: z.boolean(),
    /** Older ones with open questions, those that wait longest. */
    waiting: z.optional(z.array(Conversation)),
    agents: z.record(z.string(), AgentState),
    /** Whether this hub can search. */
    search: z.optional(z.boolean()),
  }),
  /** Answers `read`, and `hello` for the shown conversation (then without key). Entries oldest first. */
  z.object({
    type: z.literal('page'),
    key: z.optional(Name),
    conversation: Conversation,
    entries: z.array(Entry),
    has_older: z.boolean(),
    has_newer: z.boolean(),
  }),
  z.object({ type: z.literal('listed'), key: Name, conversations: z.array(Conversation), has_more: z.boolean() }),
  /** Answers `search`, newest first. `indexing`: there are entries that cannot be found yet. */
  z.object({
    type: z.literal('found'),
    key: Name,
    hits: z.array(Hit),
    has_more: z.boolean(),
    next: z.optional(EntryId),
    indexing: z.optional(z.boolean()),
  }),
  /** Live, of every conversation, in order, each once. */
  z.object({ type: z.literal('entries'), entries: z.array(Entry) }),
  /** The command of this key is durable as entry `id`. */
  z.object({ type: z.literal('accepted'), key: Name, id: EntryId }),
  z.object({ type: z.literal('refused'), key: z.optional(Name), code: z.string(), error: z.string() }),
  z.object({ type: z.literal('agent'), conversation: Name, state: AgentState }),
])
export type TimelineFrame = z.infer<typeof TimelineFrame>
