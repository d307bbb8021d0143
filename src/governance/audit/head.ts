import { changeNote } from '../../log/notes.ts'
import type { Log } from '../../log/views.ts'
import { Head } from './link.ts'

const NAME = 'head of the audit chain'

/** The last link that was written, as the log knows it: a chain that lacks it was cut off, replaced or taken away. */
export async function keptHead({ notes }: Pick<Log, 'notes'>): Promise<Head | undefined> {
  const kept = await notes.get(NAME)
  return Head.safeParse(kept?.value).data
}

/**
 * The head is kept after the link itself is durable: the chain may be ahead of what the log knows, and never behind.
 */
export async function keepHead({ notes }: Pick<Log, 'notes'>, { n, chain }: Head) {
  // The head that is put last counts, also where a chain that was cut off goes on with smaller numbers.
  await changeNote(notes, NAME, () => ({ n, chain }))
}
