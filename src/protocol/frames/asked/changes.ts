import * as z from 'zod/mini'
import { Name } from '../../text/text.ts'

/** `POST {"conversation": …}`: what the agent of a conversation changed. */
export const CHANGES_PATH = '/api/changes'

/** With `path`, only that file, as far as it is among what was changed: as much of it as can be shown. */
export const ChangesQuery = z.object({ conversation: Name, path: z.optional(z.string('must be text')) })

const ChangedFile = z.object({
  /** Within the folder, or as the agent told it. */
  path: z.string(),
  /** The path before it was renamed. */
  was: z.optional(z.string()),
  kind: z.enum(['added', 'changed', 'deleted', 'renamed']),
  /** Lines that came; absent where nobody counted. */
  added: z.optional(z.number()),
  /** Lines that went. */
  removed: z.optional(z.number()),
  /** The difference as git writes it. */
  patch: z.optional(z.string()),
  /** The texts that were replaced, where no git is there to compare; without `old_text` the file is new. */
  edits: z.optional(z.array(z.object({ old_text: z.optional(z.string()), new_text: z.string() }))),
  /**
   * Why neither is there: it is no text, it is too large to be compared, or its difference is too long to come along with
   * the others.
   */
  without: z.optional(z.enum(['binary', 'large', 'long'])),
})
export type ChangedFile = z.infer<typeof ChangedFile>

/** What was changed since a conversation began, by file. */
export const Changes = z.object({
  /**
   * What it is compared with: the folder as it was at the start, the commit of that time, or nothing but what the agent
   * told of its edits.
   */
  against: z.enum(['start', 'commit', 'reported']),
  /** The commit that was checked out at the start. */
  commit: z.optional(z.string()),
  /** The branch that is checked out now. */
  branch: z.optional(z.string()),
  folder: z.optional(z.string()),
  files: z.array(ChangedFile),
  /** Sentences about what is not in it. */
  left_out: z.array(z.string()),
})
export type Changes = z.infer<typeof Changes>
