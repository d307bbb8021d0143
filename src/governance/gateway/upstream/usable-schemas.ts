import { hash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createQueue } from '../../../io/queue.ts'

/** One that takes longer is of no use to anybody. */
const COMPILE_MS = 5000
/** The time that the thread waits for another one. */
const IDLE_MS = 5000
const MOST_KNOWN = 20_000

const THREAD = new URL(`./schema-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)

/** Tells which schemas clients can compile. Each is tried once, and none on the thread of the hub. */
export function createUsableSchemas(thread = THREAD) {
  const known = new Map<string, boolean>()
  return { forServer: () => createTrials(known, thread) }
}

export type Trials = ReturnType<typeof createTrials>

/** Those of one server, one after the other on a thread of its own: however long they take, no other server waits. */
function createTrials(known: Map<string, boolean>, file: URL) {
  const trying = new Map<string, Promise<boolean>>()
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  const trials = createQueue()
  return { isUsable }

  /** Checks a schema as JSON. One whose turn comes too late is not tried. */
  function isUsable(schema: string, lateAt = Number.POSITIVE_INFINITY): Promise<boolean> {
    const key = hash('sha256', schema)
    const before = trying.get(key)
    if (before) return before
    const tried = trials.add(() => tryIn(key, schema, lateAt)).finally(() => trying.delete(key))
    trying.set(key, tried)
    return tried
  }

  async function tryIn(key: string, schema: string, lateAt: number): Promise<boolean> {
    const before = known.get(key)
    if (before !== undefined) return before
    if (performance.now() > lateAt) return false
    const isUsable = await compiles(schema)
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(key, isUsable)
    return isUsable
  }

  async function compiles(schema: string): Promise<boolean> {
    clearTimeout(idle)
    thread ??= start()
    const used = thread
    const signal = AbortSignal.timeout(COMPILE_MS)
    used.postMessage(schema)
    try {
      const [isUsable] = await once(used, 'message', { signal })
      return isUsable as boolean
    } catch (error) {
      await end(used)
      if (!isTooMuch(error)) throw error
      return false
    } finally {
      idle = setTimeout(() => void end(used), IDLE_MS).unref()
    }
  }

  function start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: 128 }
    const started = new Worker(file, { name: 'parley-schemas', resourceLimits })
    // Callers that wait get the error.
    started.on('error', () => {})
    started.unref()
    return started
  }

  async function end(used: Worker) {
    if (thread === used) thread = undefined
    await used.terminate()
  }
}

/** It took too long, or more memory than there is. */
function isTooMuch(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'AbortError' || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
}

/** One for all servers. */
export const usableSchemas = createUsableSchemas()
