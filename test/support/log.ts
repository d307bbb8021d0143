import { join } from 'node:path'
import { NO_ENTRY } from '../../src/log/journal.ts'
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts'
import type { SqliteThread } from '../../src/log/sqlite/sqlite-thread.ts'
import type { Log } from '../../src/log/views.ts'

/** Begins conversations in the log of a folder that no hub uses; answers with the ids of their entries. */
export async function recordIn(data: string, conversations: Record<string, unknown[]>): Promise<string[][]> {
  const log = await openSqliteLog(join(data, 'parley.db'))
  const recorded = await appendAll(log, conversations)
  await log.close()
  return recorded
}

/** By the thread of a log that is opened by its hub only later. */
export async function recordBy(thread: SqliteThread, conversations: Record<string, unknown[]>): Promise<string[][]> {
  const log = await openSqliteLog('', { thread })
  const recorded = await appendAll(log, conversations)
  // What it answers from now on is for the hub.
  thread.worker.removeAllListeners('message')
  return recorded
}

async function appendAll(log: Log, conversations: Record<string, unknown[]>): Promise<string[][]> {
  const recorded: string[][] = []
  for (const [conversation, bodies] of Object.entries(conversations)) {
    const drafts = bodies.map((body) => ({ body }))
    const entries = await log.append(conversation, NO_ENTRY, drafts)
    recorded.push(entries.map(({ id }) => id))
  }
  return recorded
}
