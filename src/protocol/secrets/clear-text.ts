import * as z from 'zod/mini'
import { FileChange } from '../entries/approval.ts'

/** A call as it was before anything in it was masked. It is kept beside the log and told to nobody who did not ask. */
export const ClearText = z.object({
  input: z.string(),
  title: z.optional(z.string()),
  changes: z.optional(z.array(FileChange)),
})
export type ClearText = z.infer<typeof ClearText>

/** The same, with the arguments as a person changed them. */
export const Revealed = z.extend(ClearText, { changed: z.optional(z.string()) })
export type Revealed = z.infer<typeof Revealed>

/** The address at which people ask for what is masked in an entry. */
export const REVEAL_PATH = '/api/reveal'
