import { pauseUntil } from '../io/pause.ts'
import { ParleyError } from '../protocol/errors.ts'

const RETRY_MS = 1000
const SQLITE_IOERR = 10
const SQLITE_FULL = 13

interface Kept {
  /** The value that is read meanwhile. */
  value: unknown
  write(): void
}

interface UnwrittenParts {
  isInTransaction(): boolean
  /** All of it or nothing. */
  together(work: () => void): void
  /** The disk takes nothing, or takes everything again. */
  changed(): void
}

/** What the disk does not take for now: it is kept or waited for, and tried again until the disk takes it. */
export function createUnwritten({ isInTransaction, together, changed }: UnwrittenParts) {
  /** Values by what they are about; the last one counts. */
  const kept = new Map<string, Kept>()
  const closing = new AbortController()
  let waiting = 0
  let problem: ParleyError | undefined
  let retrying: NodeJS.Timeout | undefined
  return { soon, patiently, drop, isKept, keptOf, problem: () => problem, close }

  /** Writes now, or as soon as it can. In a transaction it is a part of that. */
  function soon(about: string, value: unknown, write: () => void) {
    kept.delete(about)
    if (isInTransaction()) return write()
    if (attempt(write)) return
    kept.set(about, { value, write })
    retrySoon()
  }

  /** Resolves when it is written; false where the signal came first. */
  async function patiently(write: () => void, signal?: AbortSignal): Promise<boolean> {
    if (attempt(write)) return true
    waiting++
    try {
      const ending = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])])
      for (;;) {
        await pauseUntil(RETRY_MS, ending)
        closing.signal.throwIfAborted()
        if (signal?.aborted) return false
        if (attempt(write)) return true
      }
    } finally {
      waiting--
      settle()
    }
  }

  function attempt(write: () => void): boolean {
    try {
      write()
      return true
    } catch (error) {
      refused(error)
      return false
    }
  }

  function refused(error: unknown) {
    const known = unwritable(error)
    if (!known) throw error
    if (problem) return
    problem = known
    changed()
  }

  function retrySoon() {
    retrying ??= setTimeout(() => {
      retrying = undefined
      if (attempt(writeKept)) settle()
      else retrySoon()
    }, RETRY_MS)
  }

  function writeKept() {
    together(() => {
      for (const { write } of kept.values()) write()
    })
    kept.clear()
  }

  /** Trouble is over only when nothing is left to be written: a disk that takes little is still full. */
  function settle() {
    if (!problem || waiting > 0 || kept.size > 0) return
    problem = undefined
    if (!closing.signal.aborted) changed()
  }

  /** Something newer was written. */
  function drop(about: string) {
    kept.delete(about)
    settle()
  }

  function isKept(about: string): boolean {
    return kept.has(about)
  }

  function keptOf(about: string): unknown {
    return kept.get(about)?.value
  }

  function close() {
    clearTimeout(retrying)
    closing.abort(new ParleyError('shutting_down'))
    if (kept.size > 0) attempt(writeKept)
  }
}

/** Errors of SQLite that pass once there is room, or the disk works again. */
export function unwritable(error: unknown): ParleyError | undefined {
  if (error instanceof ParleyError) return error.code === 'state_unwritable' ? error : undefined
  const { errcode, message } = error as { errcode?: number; message?: string }
  // The rest of an extended code only says where.
  const primary = errcode === undefined ? undefined : errcode & 0xff
  if (primary !== SQLITE_FULL && primary !== SQLITE_IOERR) return undefined
  return new ParleyError('state_unwritable', { reason: message ?? '' }, error)
}
