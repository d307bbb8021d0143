import { existsSync } from 'node:fs'
import { logFile, openLog } from '../chat/conversation/open-log.ts'
import { createRooms } from '../chat/conversation/rooms.ts'
import { createReading } from '../chat/reading/reading.ts'
import { rememberClearTexts } from '../files/clear-texts.ts'
import { type FileStore, openFiles } from '../files/file-store.ts'
import type { Log } from '../log/views.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Source } from './exports.ts'

export interface Folder {
  log: Pick<Log, 'read' | 'notes'>
  source: Source
  files: Pick<FileStore, 'base64'>
  close(): Promise<void>
}

/**
 * The conversations of a folder that no hub uses. Not a chat: that would bring deadlines back to life and let questions
 * expire, and who exports must change nothing.
 */
export async function openFolder(data: string): Promise<Folder> {
  if (!existsSync(logFile(data))) throw new ParleyError('no_log', { data })
  const log = await openLog(data)
  const views = { ...log, snapshots: { ...log.snapshots, put: async () => {} } }
  const { state: conversation } = createRooms({
    journal: log,
    views,
    clear: rememberClearTexts(),
    textLimitBytes: 0,
    report() {},
  })
  const { page } = createReading({ journal: log, views, stateOf: conversation })
  const source = { conversation, conversations, logged: page }
  return { log, source, files: openFiles(data), close: () => log.close() }

  async function conversations(range: { before?: string; limit: number }) {
    const page = await log.conversations(range)
    return Promise.all(page.map((last) => conversation(last.conversation)))
  }
}
