import { hash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** One that takes longer is of no use to anybody. */
const COMPILE_MS = 5000
/** So long the thread waits for another one. */
const IDLE_MS = 5000
const MOST_KNOWN = 20_000

/** Tells which schemas clients can compile. Each is tried once, and none on the thread of the hub. */
export function createUsableSchemas() {
  const known = new Map<string, Promise<boolean>>()
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  return { isUsable }

  /** Of a schema as JSON. */
  function isUsable(schema: string): Promise<boolean> {
    const key = hash('sha256', schema)
    const before = known.get(key)
    if (before) return before
    if (known.size >= MOST_KNOWN) known.clear()
    const trying = last.then(() => compiles(schema))
    last = trying
    known.set(key, trying)
    return trying
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
    // Whoever waits is told.
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
