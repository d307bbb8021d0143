import type { Follower, LogEntry } from '../../../src/log/journal.ts'
import type { Log } from '../../../src/log/views.ts'

/** A follower that does nothing, and for which to fail is a fault of the test. */
export const DEAF: Follower = {
  entries() {},
  failed(error) {
    throw error
  },
}

type Pace = () => void | Promise<void>

/** Follows the log and keeps what it is told. `pace` says how long the follower takes over each hand-over. */
export function collect(log: Log, from: { conversation?: string; after: string }, pace: Pace = () => {}) {
  const batches: LogEntry[][] = []
  const signals: unknown[] = []
  const failure = Promise.withResolvers<never>()
  // Heard here too, because not every test waits for more entries.
  failure.promise.catch(() => {})
  let waiting: { count: number; resolve(): void } | undefined
  let calls = 0

  const following = log.follow(from, {
    entries(entries) {
      calls += 1
      batches.push(entries)
      if (waiting && all().length >= waiting.count) waiting.resolve()
      return pace()
    },
    signal: (conversation, signal) => signals.push([conversation, signal]),
    failed: failure.reject,
  })
  return { all, ids, until, batches, signals, calls: () => calls, close: following.close }

  function all() {
    return batches.flat()
  }

  function ids() {
    return all().map(({ id }) => id)
  }

  function until(count: number) {
    const reached = new Promise<void>((resolve) => {
      waiting = { count, resolve }
      if (all().length >= count) resolve()
    })
    return Promise.race([reached, failure.promise])
  }
}

/** Appends one entry for each body, each expecting the one before. */
export async function write(log: Log, conversation: string, bodies: unknown[]) {
  const entries: LogEntry[] = []
  let [last] = await log.read({ conversation, before: '9'.repeat(16), limit: 1 })
  for (const body of bodies) {
    const appended = await log.append(conversation, last?.id ?? '0'.repeat(16), [{ body }])
    entries.push(...appended)
    last = appended.at(-1)
  }
  return entries
}

export function idOf(entry: LogEntry | undefined) {
  if (!entry) throw new Error('There is no such entry')
  return entry.id
}
