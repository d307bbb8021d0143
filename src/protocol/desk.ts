import * as z from 'zod/mini'
import { EntryId } from './entry.ts'
import { fits, Name, Text } from './text.ts'

export const DRAFT_LIMIT_BYTES = 64 * 1024
export const REPLY_LIMIT_BYTES = 16 * 1024
/** More would not be found again in a list. */
export const MOST_REPLIES = 100
/** Conversations that are pinned or snoozed, all of which are listed. */
export const MOST_AT_HAND = 100

/** Where words go: to the agent's next turn, as the reply to a question, or as the reason why a call is denied. */
export const Target = z.union(
  [z.object({ kind: z.literal('message') }), z.object({ kind: z.enum(['reply', 'denial']), question: EntryId })],
  'must be a message, or a reply or denial with its question',
)
export type Target = z.infer<typeof Target>

/** What is being written; an empty one was sent or erased. */
export const Draft = z.object({
  text: z.string('must be text'),
  target: Target,
  /** When it was written, in milliseconds since 1970; whoever goes on with it writes a greater one. The newest counts. */
  at: z.int('must be milliseconds since 1970'),
})
export type Draft = z.infer<typeof Draft>

const isTime = (time: string) => time.endsWith('Z') && !Number.isNaN(Date.parse(time))
const wantsTime = 'must be a time such as 2026-01-31T09:00:00Z, or "question" with "after", an entry id'

/** Out of sight until a time, or until something is asked after an entry. */
export const Snooze = z.union(
  [
    z.object({ until: z.literal('question'), after: EntryId }),
    z.object({ until: z.string(wantsTime).check(z.refine(isTime, wantsTime)) }),
  ],
  wantsTime,
)
export type Snooze = z.infer<typeof Snooze>

const flag = z.optional(z.boolean('must be true or false'))

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

const KeptDraft = z.extend(Draft, {
  text: z.string('must be text').check(
    z.overwrite((text) => text.toWellFormed()),
    z.refine((text) => fits(text, DRAFT_LIMIT_BYTES), 'is larger than the limit of 64 KiB'),
  ),
})

/** Only what it names; `null` ends a snooze. */
export const MarkChange = z.object({
  pinned: flag,
  muted: flag,
  archived: flag,
  snoozed: z.optional(z.nullable(Snooze)),
  read: z.optional(EntryId),
  draft: z.optional(KeptDraft),
})
export type MarkChange = z.infer<typeof MarkChange>

/** Words to be used again, found by their name. */
export const SavedReply = z.object({
  name: Name,
  text: Text.check(z.refine((text) => fits(text, REPLY_LIMIT_BYTES), 'is larger than the limit of 16 KiB')),
})
export type SavedReply = z.infer<typeof SavedReply>

/** What was read stays read and a newer draft stays, in whatever order devices tell of theirs; else the last word counts. */
export function changed(mark: Mark, { snoozed = mark.snoozed, read, draft, ...flags }: MarkChange): Mark {
  const next: Mark = {
    ...mark,
    ...flags,
    snoozed: snoozed ?? undefined,
    read: read !== undefined && read > (mark.read ?? '') ? read : mark.read,
    draft: draft && draft.at >= (mark.draft?.at ?? 0) ? draft : mark.draft,
  }
  // What is not so is not kept.
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== false))
}

/** Whether it is out of sight: its time has not come, and nothing was asked that it was to wait for. */
export function isSnoozed({ snoozed }: Mark, { now, open }: { now: number; open: { id: string }[] }): boolean {
  if (!snoozed) return false
  if ('after' in snoozed) return !open.some(({ id }) => id > snoozed.after)
  return now < Date.parse(snoozed.until)
}

/** By name; a reply of that name gives way. */
export function withReply(replies: SavedReply[], reply: SavedReply): SavedReply[] {
  return [...withoutReply(replies, reply.name), reply].sort((a, b) => (a.name < b.name ? -1 : 1))
}

export function withoutReply(replies: SavedReply[], name: string): SavedReply[] {
  return replies.filter((reply) => reply.name !== name)
}
