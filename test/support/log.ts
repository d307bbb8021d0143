import { join } from 'node:path'
import { NO_ENTRY } from '../../src/log/journal.ts'
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts'

/** Begins conversations in the log of a folder that no hub uses; answers with the ids of their entries. */
export async function recordIn(data: string, conversations: Record<string, unknown[]>): Promise<string[][]> {
  const log = await openSqliteLog(join(data, 'parley.db'))
  const recorded: string[][] = []
  for (const [conversation, bodies] of Object.entries(conversations)) {
    const drafts = bodies.map((body) => ({ body }))
    const entries = await log.append(conversation, NO_ENTRY, drafts)
    recorded.push(entries.map(({ id }) => id))
  }
  await log.close()
  return recorded
}
