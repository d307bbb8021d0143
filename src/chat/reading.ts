import { idBefore, type Log } from '../log/log.ts'
import { AFTER_ALL, BEFORE_ALL, type Entry } from '../protocol/entry.ts'

export interface Range {
  before?: string
  after?: string
  limit: number
}

// No conversation can have this name, because names hold no control characters.
const MEMO = '\u0000'

/** What was said, page by page; each costs what it brings. */
export function createReading({ log }: { log: Log }) {
  return { entry, page, canResume, last: () => log.last(), memo: { get: recall, put: remember } }

  async function entry(id: string): Promise<Entry | undefined> {
    const [found] = (await log.read({ after: idBefore(id), limit: 1 })) as Entry[]
    return found?.id === id ? found : undefined
  }

  /** The first entries after `after`, or the last ones before `before`, or the last ones of all. */
  async function page(conversation: string | undefined, { before, after, limit }: Range) {
    const forward = after !== undefined
    const range = forward ? { after, before } : { before: before ?? AFTER_ALL }
    const found = (await log.read({ conversation, ...range, limit: limit + 1 })) as Entry[]
    const full = found.length > limit
    const entries = full ? (forward ? found.slice(0, limit) : found.slice(1)) : found
    return {
      entries,
      has_older: forward ? true : full,
      has_newer: forward ? full : before !== undefined,
    }
  }

  /** Whether the cursor is of this log, and at most `limit` entries came after it, so that they can be replayed. */
  async function canResume(cursor: string, limit: number): Promise<boolean> {
    if (cursor !== BEFORE_ALL && !(await entry(cursor))) return false
    return (await log.read({ after: cursor, limit: limit + 1 })).length <= limit
  }

  /** Small things to keep that are no conversation: the newest state under a name. */
  async function remember(name: string, state: unknown): Promise<void> {
    await log.snapshot.put(MEMO + name, { at: BEFORE_ALL, state })
  }

  async function recall(name: string): Promise<unknown> {
    return (await log.snapshot.get(MEMO + name))?.state
  }
}
