import * as z from 'zod/mini'
import { EntryId } from '../entries/entry.ts'
import { fits, Name, Text } from '../text/text.ts'
import { DRAFT_LIMIT_BYTES } from './marks.ts'

const REPLY_LIMIT_BYTES = 16 * 1024
/** More would not be found again in a list. */
export const MOST_REPLIES = 100
/** Conversations that are pinned or snoozed, all of which are listed. */
export const MOST_AT_HAND = 100

const flag = z.optional(z.boolean('must be true or false'))

const isTime = (time: string) => time.endsWith('Z') && !Number.isNaN(Date.parse(time))
const wantsTime = 'must be a time such as 2026-01-31T09:00:00Z, or "question" with "after", an entry id'
const Snooze = z.union(
  [
    z.object({ until: z.literal('question'), after: EntryId }),
    z.object({ until: z.string(wantsTime).check(z.refine(isTime, wantsTime)) }),
  ],
  wantsTime,
)

const wantsTarget = 'must be a message, a change of one, or a reply or denial with its question'
const Draft = z.object({
  text: z.string('must be text').check(
    z.overwrite((text) => text.toWellFormed()),
    z.refine((text) => fits(text, DRAFT_LIMIT_BYTES), 'is larger than the limit of 64 KiB'),
  ),
  target: z.union(
    [
      z.object({ kind: z.literal('message'), answers: z.optional(EntryId) }),
      z.object({ kind: z.literal('change'), message: Name }),
      z.object({ kind: z.enum(['reply', 'denial'], wantsTarget), question: EntryId }),
    ],
    wantsTarget,
  ),
  at: z.int('must be milliseconds since 1970'),
  ends: z.optional(z.int('must be milliseconds since 1970')),
})

/** A `MarkChange` as a client says it. */
export const MarkChange = z.object({
  pinned: flag,
  muted: flag,
  archived: flag,
  snoozed: z.optional(z.nullable(Snooze)),
  read: z.optional(EntryId),
  draft: z.optional(Draft),
})

/** A `SavedReply` as a client says it. */
export const ReplyToSave = z.object({
  name: Name,
  text: Text.check(z.refine((text) => fits(text, REPLY_LIMIT_BYTES), 'is larger than the limit of 16 KiB')),
})
