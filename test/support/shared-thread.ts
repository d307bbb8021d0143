import { EventEmitter } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'
import { openLog } from '../../src/chat/conversation/open-log.ts'
import { logFile } from '../../src/log/file-name.ts'
import type { LogFile, Opening } from '../../src/log/sqlite/sqlite-serving.ts'
import type { SqliteThread } from '../../src/log/sqlite/sqlite-thread.ts'
import type { Log } from '../../src/log/views.ts'
import { Body } from '../../src/protocol/entries/entry.ts'

let shared: Worker | undefined

/** The log of a hub of a test. A thread of its own would take three times as long as the rest of the hub. */
export async function openLogInSharedThread(data: string, text: URL): Promise<Log> {
  const path = data === 'memory' ? ':memory:' : logFile(data)
  return judged(await openLog(data, text, placeInThread({ path, text: text.href })))
}

/** A hub checks what comes in and appends nothing that it could not read again: the log relies on that. [L51] */
function judged(log: Log): Log {
  return {
    ...log,
    async append(conversation, expectedLast, drafts) {
      for (const { body } of drafts) Body.parse(JSON.parse(JSON.stringify(body)))
      return log.append(conversation, expectedLast, drafts)
    },
  }
}

function placeInThread(place: LogFile): SqliteThread {
  shared ??= startShared()
  const { port1, port2 } = new MessageChannel()
  const worker = new EventEmitter()
  const opening = new Promise<Opening>((resolve) => worker.once('message', resolve))
  const exited = new Promise<void>((resolve) => worker.once('exit', resolve))
  port1.on('message', (message) => worker.emit('message', message))
  port1.once('close', () => worker.emit('exit'))
  shared.postMessage([port2, place], [port2])
  const postMessage = (call: unknown) => port1.postMessage(call)
  return {
    worker: Object.assign(worker, { postMessage }) as unknown as Worker,
    opening,
    exited,
    abandon: async () => port1.close(),
  }
}

function startShared(): Worker {
  const worker = new Worker(new URL('./log-threads.ts', import.meta.url), { name: 'parley-logs' })
  worker.unref()
  return worker
}
