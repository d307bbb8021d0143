import { Worker } from 'node:worker_threads'
import { DiskTrouble, LogUnavailable } from '../journal.ts'
import type { Answer, Call, Calls, LogFile, Opening } from './sqlite-serving.ts'

type Waiting = { resolve(result: unknown): void; reject(error: unknown): void }
type Result<Method extends keyof Calls> = ReturnType<Calls[Method]>

export type SqliteThread = ReturnType<typeof startSqliteThread>

/** A thread that opens the store. Loads nothing else, so that it can be under way while everything else is loaded. */
export function startSqliteThread(place: LogFile) {
  const file = import.meta.url.endsWith('.ts') ? './sqlite-worker.ts' : './sqlite-worker.js'
  // It keeps next to nothing from one call to the next; more room would only be filled and never given back.
  const resourceLimits = { maxYoungGenerationSizeMb: 2 }
  const worker = new Worker(new URL(file, import.meta.url), { name: 'parley-log', workerData: place, resourceLimits })
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const opening = firstMessage(worker)
  // The opener of the log gets the error.
  opening.catch(() => {})
  return { worker, exited, opening, abandon }

  /** Nobody opens it any more. */
  async function abandon() {
    await worker.terminate()
  }
}

/** The store on a thread of its own, so that a slow disk never stalls the event loop. */
export async function openSqliteThread(thread: SqliteThread, died: (error: unknown) => void) {
  const { worker, exited } = thread
  const opening = await thread.opening
  if (!('opened' in opening)) {
    await exited
    throw new LogUnavailable(opening.kind, opening.reason)
  }

  const waiting: Waiting[] = []
  let death: unknown
  worker.on('message', (answer: Answer) => {
    const { resolve, reject } = waiting.shift() as Waiting
    if (Array.isArray(answer)) resolve(answer[0])
    else if (!answer.trouble) reject(answer.error)
    else reject(new DiskTrouble(answer.trouble, (answer.error as Error).message))
  })
  worker.on('error', die)
  worker.on('exit', () => die(ended()))

  return { call, close }

  function call<Method extends keyof Calls>(method: Method, ...args: Parameters<Calls[Method]>) {
    return new Promise<Result<Method>>((resolve, reject) => {
      if (death) return reject(death)
      // Sending comes first: it throws for what cannot be sent, and nobody may wait then for an answer that never comes.
      worker.postMessage([method, ...args] satisfies Call)
      waiting.push({ resolve: (result) => resolve(result as Result<Method>), reject })
    })
  }

  function die(error: unknown) {
    if (death) return
    death = error
    for (const { reject } of waiting.splice(0)) reject(error)
    died(error)
  }

  async function close() {
    try {
      if (!death) await call('close')
    } finally {
      await exited
    }
  }
}

function firstMessage(worker: Worker) {
  return new Promise<Opening>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(ended()))
  })
}

function ended() {
  return new Error('The thread of the log has ended')
}
