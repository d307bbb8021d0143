import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { LogUnavailable } from './log.ts'
import type { Answer, Call, Calls, Opening, Place } from './sqlite-worker.ts'

type Waiting = { resolve(result: unknown): void; reject(error: unknown): void }
type Result<Method extends keyof Calls> = ReturnType<Calls[Method]>

/** The store on a thread of its own, so that a slow disk never stalls the event loop. */
export async function openSqliteThread(place: Place, died: (error: unknown) => void) {
  const file = import.meta.url.endsWith('.ts') ? './sqlite-worker.ts' : './sqlite-worker.js'
  const worker = new Worker(new URL(file, import.meta.url), { name: 'parley-log', workerData: place })
  const exited = new Promise<number>((resolve) => worker.once('exit', resolve))
  const [opening] = (await once(worker, 'message')) as [Opening]
  if (!('opened' in opening)) {
    await exited
    throw new LogUnavailable(opening.kind, opening.reason)
  }

  const waiting: Waiting[] = []
  let death: unknown
  worker.on('message', (answer: Answer) => {
    const { resolve, reject } = waiting.shift() as Waiting
    if ('error' in answer) reject(answer.error)
    else resolve(answer.result)
  })
  worker.on('error', die)
  worker.on('exit', () => die(new Error('The thread of the log has ended')))

  return { call, close }

  function call<Method extends keyof Calls>(method: Method, ...args: Parameters<Calls[Method]>) {
    return new Promise<Result<Method>>((resolve, reject) => {
      if (death) return reject(death)
      waiting.push({ resolve: (result) => resolve(result as Result<Method>), reject })
      worker.postMessage([method, args] satisfies Call)
    })
  }

  function die(error: unknown) {
    if (death) return
    death = error
    for (const { reject } of waiting.splice(0)) reject(error)
    died(error)
  }

  async function close() {
    if (!death) await call('close')
    await exited
  }
}
