import { existsSync } from 'node:fs'
import { type Collected, collectFiles } from '../chat/conversation/collecting.ts'
import { logFile, openLog } from '../chat/conversation/open-log.ts'
import { openFiles } from '../files/file-store.ts'
import { ParleyError } from '../protocol/errors.ts'

/** The same in a folder that no hub uses. */
export async function collectInFolder(data: string): Promise<Collected> {
  if (!existsSync(logFile(data))) throw new ParleyError('no_log', { data })
  const log = await openLog(data)
  try {
    return await collectFiles({ views: log, files: openFiles(data) })
  } finally {
    await log.close()
  }
}
