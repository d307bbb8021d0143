import * as z from 'zod/mini'
import { BEFORE_ALL } from '../../../protocol/entries/entry.ts'
import { InboxPage } from '../../../protocol/frames/inbox.ts'
import { type Tool, tool } from '../surface.ts'
import { actor, type ChatParts, whose, withoutBlanks } from './chat-tools.ts'

const notPositive = 'must be a whole number from 1 on'
const noId = 'must be the id of a message, which has at most 16 digits'
const limit = z.optional(
  z
    .int(notPositive)
    .check(z.minimum(1, notPositive), z.describe('At most this many; all that fit into one answer when absent.')),
)
const MessageId = z
  .string(noId)
  // Ids are compared as numbers are, also where fewer digits were written.
  .check(
    z.regex(/^\d{1,16}$/, noId),
    z.overwrite((id) => id.padStart(BEFORE_ALL.length, '0')),
  )
const Advance = z.object({ limit, ...whose })
const ReadSince = z.object({
  after_id: z.optional(
    MessageId.check(z.describe('The id of the last message you have; from the first message on when absent.')),
  ),
  ...Advance.shape,
})

/** Catches up with what was said, whoever asks and however often. */
export function readSince(parts: ChatParts): Tool {
  return tool({
    name: 'chat_read_since',
    servers: ['ui'],
    also: 'read_since',
    title: 'Read messages since',
    description:
      'Returns the messages after the one with id after_id, oldest first, as many as fit into one answer, and last_id to go on from; has_more says whether there are more. Keep last_id yourself: the hub keeps no watermark for you, so nothing is skipped after a crash.',
    needs: 'read',
    input: ReadSince,
    tidy: withoutBlanks,
    output: InboxPage,
    async call({ after_id = BEFORE_ALL, limit, session_id, subscriber }, caller) {
      return actor(parts, caller, subscriber).view.inbox.readSince(session_id, after_id, limit)
    },
  })
}

/** The tool for subscribers that keep no watermark: the hub keeps it, for each of them and each conversation. */
export function readAndAdvance(parts: ChatParts): Tool {
  return tool({
    name: 'read_and_advance',
    servers: ['ui', 'chat'],
    title: 'Read what is new',
    description: 'Returns the messages that came after those it returned to you before.',
    needs: 'read',
    input: Advance,
    tidy: withoutBlanks,
    output: InboxPage,
    async call({ limit, session_id, subscriber }, caller) {
      return actor(parts, caller, subscriber).view.inbox.readAndAdvance(session_id, limit, caller.lineKey)
    },
  })
}
