import { EventEmitter } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'
import { openLog } from '../../src/chat/conversation/open-log.ts'
import { logFile } from '../../src/log/file-name.ts'
import type { LogFile, Opening } from '../../src/log/sqlite/sqlite-serving.ts'
import type { SqliteThread } from '../../src/log/sqlite/sqlite-thread.ts'
import type { Log } from '../../src/log/views.ts'

let shared: Worker | undefined

/** The log of a hub of a test. A thread of its own would take three times as long as the rest of the hub. */
export function openLogInSharedThread(data: string, text: URL): Promise<Log> {
  return openLog(data, text, placeInThread({ path: data === 'memory' ? ':memory:' : logFile(data), text: text.href }))
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
