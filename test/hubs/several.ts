import { onTestFinished } from 'vitest'
import { filesOf } from '../../src/chat/conversation/attached-hashes.ts'
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts'
import type { Log } from '../../src/log/views.ts'
import type { Body } from '../../src/protocol/entries/entry.ts'
import { storedBody } from '../../src/protocol/entries/stored.ts'
import { newLog } from '../support/chat.ts'

export type OpenLog = () => Log | Promise<Log>

export const ENGINES: Record<string, OpenLog> = {
  memory: newLog,
  SQLite: () => openSqliteLog(':memory:', { readBody: storedBody, namesIn: (body) => filesOf(body as Body) }),
}

/** A log for several hubs, which outlives each of them. */
export async function sharedLog(open: OpenLog): Promise<Log> {
  const log = await open()
  onTestFinished(() => log.close())
  return { ...log, shared: true, close: async () => {} }
}
