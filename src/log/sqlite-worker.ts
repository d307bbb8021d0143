import { parentPort, workerData } from 'node:worker_threads'
import { LogUnavailable } from './log.ts'
import { openStoreFile } from './sqlite-file.ts'
import type { Store } from './sqlite-store.ts'

/** Calls are answered in the order in which they were posted, so neither carries a number. */
export type Call = [method: keyof Store, args: unknown[]]
export type Answer = { result: unknown } | { error: unknown }
export type Opening = { opened: true } | { kind: LogUnavailable['kind']; reason: string }

const port = parentPort
if (!port) throw new Error('sqlite-worker.ts runs as a worker thread')

const store = open(String(workerData))
port.postMessage((store instanceof LogUnavailable ? refusal(store) : { opened: true }) satisfies Opening)

if (!(store instanceof LogUnavailable)) {
  port.on('message', ([method, args]: Call) => {
    port.postMessage(answer(store[method] as (...args: unknown[]) => unknown, args))
    if (method === 'close') port.close()
  })
}

function open(path: string) {
  try {
    return openStoreFile(path)
  } catch (error) {
    if (error instanceof LogUnavailable) return error
    throw error
  }
}

function refusal({ kind, message }: LogUnavailable) {
  return { kind, reason: message }
}

function answer(method: (...args: unknown[]) => unknown, args: unknown[]): Answer {
  try {
    return { result: method(...args) }
  } catch (error) {
    return { error }
  }
}
