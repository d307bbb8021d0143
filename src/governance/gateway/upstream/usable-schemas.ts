import { hash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** One that takes longer is of no use to anybody. */
const COMPILE_MS = 5000
/** The time that the thread waits for another one. */
const IDLE_MS = 5000
const MOST_KNOWN = 20_000

/** Tells which schemas clients can compile. Each is tried once, and none on the thread of the hub. */
export function createUsableSchemas() {
  const known = new Map<string, boolean>()
  return { forServer: () => createTrials(known) }
}

export type Trials = ReturnType<typeof createTrials>

/** Those of one server, one after the other on a thread of its own: however long they take, no other server waits. */
function createTrials(known: Map<string, boolean>) {
  const trying = new Map<string, Promise<boolean>>()
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  return { isUsable }

  /** Checks a schema as JSON. One whose turn comes too late is not tried. */
  function isUsable(schema: string, lateAt = Number.POSITIVE_INFINITY): Promise<boolean> {
    const key = hash('sha256', schema)
    const before = trying.get(key)
    if (before) return before
    const tried = last.then(() => tryIn(key, schema, lateAt)).finally(() => trying.delete(key))
    last = tried
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
    } catch {
      // It took too long, or more memory than there is.
      await end(used)
      return false
    } finally {
      idle = setTimeout(() => void end(used), IDLE_MS).unref()
    }
  }

  function start(): Worker {
    const file = import.meta.url.endsWith('.ts') ? './schema-thread.ts' : './schema-thread.js'
    const resourceLimits = { maxOldGenerationSizeMb: 128 }
    const started = new Worker(new URL(file, import.meta.url), { name: 'parley-schemas', resourceLimits })
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

/** One for all servers. */
export const usableSchemas = createUsableSchemas()
