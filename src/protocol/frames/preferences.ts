import * as z from 'zod/mini'
import { EntryId } from '../entries/entry.ts'
import { Name } from '../text/text.ts'

/**
 * The target of words: the agent's next turn, perhaps about a message; one of the person's own messages, which they
 * replace; a question, as its reply; or a call, as the reason why it is denied.
 */
export const Target = z.union([
  z.object({ kind: z.literal('message'), answers: z.optional(EntryId) }),
  /** The message's id, or the key it was posted with. */
  z.object({ kind: z.literal('change'), message: Name }),
  z.object({ kind: z.enum(['reply', 'denial']), question: EntryId }),
])
export type Target = z.infer<typeof Target>

/** A text that is being written; an empty one was sent or erased. */
export const Draft = z.object({
  text: z.string(),
  target: Target,
  /**
   * The time of writing, in milliseconds since 1970; whoever continues the draft writes a greater one. The newest
   * counts.
   */
  at: z.number(),
  /** The time at which the text that was sent or erased had been written; only an empty draft has it. */
  ends: z.optional(z.number()),
})
export type Draft = z.infer<typeof Draft>

/** Hidden until an ISO time, or until something is asked `after` an entry. */
export const Snooze = z.union([
  z.object({ until: z.literal('question'), after: EntryId }),
  z.object({ until: z.string() }),
])
export type Snooze = z.infer<typeof Snooze>

const flag = z.optional(z.boolean())

/** What one person keeps about one conversation. */
export const Mark = z.object({
  pinned: flag,
  muted: flag,
  archived: flag,
  snoozed: z.optional(Snooze),
  /** The entry up to where it was read. */
  read: z.optional(EntryId),
  draft: z.optional(Draft),
})
export type Mark = z.infer<typeof Mark>

/** Changes only what it names; `null` ends a snooze. */
export type MarkChange = Omit<Mark, 'snoozed'> & { snoozed?: Snooze | null }

/** Words to be used again, found by their name. */
export const SavedReply = z.object({ name: z.string(), text: z.string() })
export type SavedReply = z.infer<typeof SavedReply>
