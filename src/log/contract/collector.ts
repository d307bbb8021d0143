import type { Log, LogEntry } from '../log.ts'

type Pace = () => void | Promise<void>

/** Follows the log and keeps what it is told. `pace` says how long the follower takes over each hand-over. */
export function collect(log: Log, from: { conversation?: string; after: string }, pace: Pace = () => {}) {
  const batches: LogEntry[][] = []
  const signals: unknown[] = []
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
  })
  return { all, ids, until, batches, signals, calls: () => calls, close: following.close }

  function all() {
    return batches.flat()
  }

  function ids() {
    return all().map(({ id }) => id)
  }

  function until(count: number) {
    return new Promise<void>((resolve) => {
      waiting = { count, resolve }
      if (all().length >= count) resolve()
    })
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
