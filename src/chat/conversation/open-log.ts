import { ifError } from '../../io/if-error.ts'
import { logFile } from '../../log/file-name.ts'
import { LogUnavailable } from '../../log/journal.ts'
import { openSqliteLog } from '../../log/sqlite/sqlite-log.ts'
import type { SqliteThread } from '../../log/sqlite/sqlite-thread.ts'
import type { Log } from '../../log/views.ts'
import type { Body } from '../../protocol/entries/entry.ts'
import { storedBody } from '../../protocol/entries/stored.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { filesOf } from './attached-hashes.ts'

export { logFile }

/**
 * The log of a data folder, or one of its own for `memory`. Every body in it is a `Body`. With `text` it can be
 * searched.
 */
export async function openLog(data: string, text?: URL, thread?: SqliteThread): Promise<Log> {
  const path = data === 'memory' ? ':memory:' : logFile(data)
  const opening = openSqliteLog(path, {
    readBody: storedBody,
    // Whoever appends was checked at a door, and speaks of bodies. [L51]
    appendsReadable: true,
    namesIn: (body) => filesOf(body as Body),
    text,
    thread,
  })
  return opening.catch(
    ifError(LogUnavailable, (error) => {
      throw new ParleyError(`data_${error.kind}`, { reason: error.message }, error)
    }),
  )
}
