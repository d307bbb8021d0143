import { join } from 'node:path'
import { LogUnavailable } from '../log/log.ts'
import { openSearchableLog, openSqliteLog } from '../log/sqlite-log.ts'
import { ParleyError } from '../protocol/errors.ts'

const FILE = 'parley.db'

/** The log of a data folder, or one of its own for `memory`. With `text` it can be searched. */
export async function openLog(data: string, text?: URL) {
  const path = data === 'memory' ? ':memory:' : logFile(data)
  try {
    return await (text ? openSearchableLog(path, text) : openSqliteLog(path))
  } catch (error) {
    if (!(error instanceof LogUnavailable)) throw error
    throw new ParleyError(`data_${error.kind}`, { reason: error.message }, error)
  }
}

export function logFile(data: string): string {
  return join(data, FILE)
}
