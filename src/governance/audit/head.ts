import { systemName } from '../../chat/conversation/system-name.ts'
import { NO_ENTRY } from '../../log/journal.ts'
import type { Log } from '../../log/views.ts'
import { Head } from './link.ts'

const NAME = systemName('head of the audit chain')
const FORMAT = 1

/** The last link that was written, as the log knows it: a chain that lacks it was cut off, replaced or taken away. */
export async function keptHead({ snapshots }: Pick<Log, 'snapshots'>): Promise<Head | undefined> {
  const kept = await snapshots.get(NAME, FORMAT)
  return Head.safeParse(kept?.state).data
}

/**
 * The head is kept after the link itself is durable: the chain may be ahead of what the log knows, and never behind.
 */
export async function keepHead({ snapshots }: Pick<Log, 'snapshots'>, { n, chain }: Head) {
  // The head that is put last counts, also where a chain that was cut off goes on with smaller numbers.
  await snapshots.put(NAME, { format: FORMAT, at: NO_ENTRY, state: { n, chain } })
}
