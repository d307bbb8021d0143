import * as z from 'zod/mini'
import { EntryId } from '../entries/entry.ts'
import { Name } from '../text/text.ts'

/** What an answer brought its agent. The hub that gave it forgets when it dies; the line tells the next one. */
export const DeliveredIds = z.object({
  conversation: Name,
  messages_to: z.optional(EntryId),
  ahead: z.optional(z.array(EntryId)),
  replies: z.array(EntryId),
  replies_to: z.optional(EntryId),
  stop: z.optional(EntryId),
  /** Calls of mounted tools, by their ids, of which it told what became of them. */
  calls: z.optional(z.array(Name)),
})
export type DeliveredIds = z.infer<typeof DeliveredIds>

/**
 * What an answer brings its agent. It arrives or comes back, and is told so once. Only what came back because its
 * connection was gone can still arrive, when a client of the 2025 era resumes its stream. None of these may throw.
 */
export interface Carried {
  /** What is in it, for whoever can tell the next hub. */
  deliveredIds?: DeliveredIds
  /** All of the answer was written, and its caller was still there. */
  arrived(): void
  /** The call failed or was cancelled, or its caller was gone before all was written: another call brings it. */
  returned(): void
  /** It arrived, and its caller had cancelled the call before: unless a later call has proven it, it comes again. */
  missed(): void
}
