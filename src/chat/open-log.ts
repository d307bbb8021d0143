import { join } from 'node:path'
import { LogUnavailable } from '../log/journal.ts'
import { openSqliteLog } from '../log/sqlite-log.ts'
import type { Log } from '../log/views.ts'
import { ParleyError } from '../protocol/errors.ts'
import { storedBody } from '../protocol/stored.ts'

const FILE = 'parley.db'

/** The log of a data folder, or one of its own for `memory`. Every body in it is a `Body`. With `text` it can be searched. */
export async function openLog(data: string, text?: URL): Promise<Log> {
  const path = data === 'memory' ? ':memory:' : logFile(data)
  try {
    return await openSqliteLog(path, { readBody: storedBody, text })
  } catch (error) {
    if (!(error instanceof LogUnavailable)) throw error
    throw new ParleyError(`data_${error.kind}`, { reason: error.message }, error)
  }
}

export function logFile(data: string): string {
  return join(data, FILE)
}
