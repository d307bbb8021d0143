import * as z from 'zod/mini'
import { AlwaysCommand } from './approval.ts'
import { Attachments } from './attachment.ts'
import { Approval, EntryId, Options, QuickReplies } from './entry.ts'
import { beginning, runSettings } from './run-settings.ts'

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
  asker: z.optional(z.string()),
  folder: z.optional(z.string()),
  visit: z.optional(z.string()),
  exchange: z.optional(z.string()),
  fingerprint: z.optional(z.string()),
  driven: z.optional(z.literal(true)),
  /** Set only in what pages are told: the text is the beginning, and all of it is in the entry. */
  shortened: z.optional(z.literal(true)),
})

/** An answered question whose reply the agent has not yet proven to have. */
export const UnreadReply = z.object({
  question: EntryId,
  settlement: EntryId,
  fingerprint: z.optional(z.string()),
  /** The time and the asker of the question; an older Parley kept neither. */
  at: z.optional(z.number()),
  folder: z.optional(z.string()),
  visit: z.optional(z.string()),
  delivered: z.boolean(),
})

/**
 * The replies that nobody has proven to have: the newest by name, the others as a count from one id to another. With
 * `gaps` some that came after the first of them are read: the log knows which.
 */
const OlderReplies = z.object({ from: EntryId, to: EntryId, count: z.number() })
export const UnreadReplies = z.object({
  recent: z.array(UnreadReply),
  older: z.optional(OlderReplies),
  gaps: z.optional(z.literal(true)),
})

/** A tool that needs no verdict here any more when this agent uses it; by whom and since which entry. */
export const Grant = z.object({
  tool_name: z.string(),
  /** The server of a mounted tool, its name there, and what the tool was when it was allowed. */
  server: z.optional(z.string()),
  tool: z.optional(z.string()),
  fingerprint: z.optional(z.string()),
  asker: z.optional(z.string()),
  /** What the asker calls itself, where it works and its visit. */
  agent: z.optional(z.string()),
  folder: z.optional(z.string()),
  visit: z.optional(z.string()),
  /** The commands, for a tool that runs commands. */
  command: z.optional(AlwaysCommand),
  by: z.string(),
  since: z.string(),
})

/** What a conversation is now, in a size that does not depend on its length. Server and browser fold the same. */
export const ConversationState = z.object({
  id: z.string(),
  title: z.string(),
  /** An agent gave it the title, or its first words did, and not a person. */
  titled: z.optional(z.literal('agent')),
  /** The folder of the agent that began it, and the name of the agent that spoke or acted last. */
  folder: z.optional(z.string()),
  agent: z.optional(z.string()),
  /** How the mark of its agents looks, where the hub gave it one. */
  look: z.optional(z.number()),
  last: z.string(),
  last_at: z.number(),
  /** The last entry that says something in words. */
  said: z.string(),
  /** What the agent said or did last, or, where it never did, what the person said. */
  preview: z.string(),
  /** Some message in it was changed or taken back. */
  revised: z.optional(z.literal(true)),
  /** The last entry that did so, where this version saw it. */
  revision: z.optional(z.string()),
  /** The message of the person that the preview shows. */
  preview_entry: z.optional(z.string()),
  /** The kind of the preview, if it is not what the agent said: the name of what it does, or the person's own words. */
  preview_of: z.optional(z.enum(['deed', 'person'])),
  /** The start of the step that the preview shows, while the step lasts. */
  step_at: z.optional(z.number()),
  open: z.array(OpenQuestion),
  replies: UnreadReplies,
  /** Ids of the person's messages and revisions: the last one, and up to where they are delivered and read. */
  messages: z.object({
    last: z.string(),
    delivered: z.string(),
    read: z.string(),
    /** Revisions further on whose words came with what they revise. */
    ahead: z.optional(z.array(z.object({ id: z.string(), read: z.boolean() }))),
  }),
  /**
   * The last message that says stop, and the last one whose words have reached the agent, or are proven to have; those
   * before the last that are not proven; the last end of a turn since the first of them.
   */
  stop: z.optional(
    z.object({
      last: z.string(),
      delivered: z.string(),
      read: z.string(),
      earlier: z.optional(z.array(z.string())),
      turned: z.optional(z.string()),
    }),
  ),
  always: z.optional(z.array(Grant)),
  /** How the person wants it to be driven. */
  wish: z.optional(z.object({ ...runSettings, from: beginning.from })),
})

export type OpenQuestion = z.infer<typeof OpenQuestion>
export type UnreadReply = z.infer<typeof UnreadReply>
export type UnreadReplies = z.infer<typeof UnreadReplies>
export type OlderReplies = z.infer<typeof OlderReplies>
export type Grant = z.infer<typeof Grant>
export type ConversationState = z.infer<typeof ConversationState>
