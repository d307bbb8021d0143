import { createFollowers } from './followers.ts'
import { Conflict, type Draft, type Log, type LogEntry, type Page, type Snapshot } from './log.ts'
import type { Findings, Search, Wanted } from './search.ts'
import type { Outcome, Row, Write } from './sqlite-store.ts'
import { openSqliteThread } from './sqlite-thread.ts'

type Queued = { write: Write; drafts: Draft[]; resolve(entries: LogEntry[]): void; reject(error: unknown): void }

/** A log in one SQLite file that this process holds alone. `:memory:` keeps it in memory. */
export async function openSqliteLog(path: string): Promise<Log> {
  return (await openLog(path)).log
}

/** The same, and it can be searched. `text` is the address of a module that exports a `TextOf` as `textOf`. */
export async function openSearchableLog(path: string, text: URL): Promise<Log & Search> {
  const { log, search } = await openLog(path, text.href)
  return { ...log, search }
}

async function openLog(path: string, text?: string) {
  const followers = createFollowers(readPage)
  const thread = await openSqliteThread({ path, text }, followers.fail)
  let queue: Queued[] = []
  let committing: Promise<void> | undefined
  let closing: Promise<void> | undefined

  const log: Log = { append, read, find, follow, signal, conversations, snapshot: { get, put }, last, close }
  return { log, search }

  function append(conversation: string, expectedLast: string, drafts: Draft[]) {
    return new Promise<LogEntry[]>((resolve, reject) => {
      if (drafts.length === 0) return resolve([])
      const texts = drafts.map(({ key, body }) => ({ key, body: toText(body) }))
      const write = { conversation, expectedLast: Number(expectedLast), drafts: texts }
      enqueue({ write, drafts, resolve, reject })
    })
  }

  function put(conversation: string, { at, state }: Snapshot) {
    return new Promise<void>((resolve, reject) => {
      const write = { conversation, at: Number(at), state: toText(state) }
      enqueue({ write, drafts: [], resolve: () => resolve(), reject })
    })
  }

  function enqueue(queued: Queued) {
    refuseWhenClosed()
    queue.push(queued)
    committing ??= commitQueued()
  }

  /** One transaction at a time: what is queued while the disk is busy shares the next one. */
  async function commitQueued() {
    // What this same tick still appends shares the first one.
    await undefined
    while (queue.length > 0) {
      const batch = queue
      queue = []
      const committed = thread.call(
        'commit',
        batch.map(({ write }) => write),
      )
      await committed.then(
        (outcomes) => settle(batch, outcomes),
        (error) => refuse(batch, error),
      )
    }
    committing = undefined
  }

  function refuse(batch: Queued[], error: unknown) {
    for (const { reject } of batch) reject(error)
  }

  function settle(batch: Queued[], outcomes: Outcome[]) {
    const added: LogEntry[] = []
    const answers = batch.map(({ write: { conversation }, drafts }, n) => {
      const outcome = outcomes[n]
      if (outcome === 'conflict') return undefined
      return outcome?.map((place, n) => {
        if (typeof place !== 'number') return toEntry(place)
        const { key, body } = drafts[n] as Draft
        const entry = { id: toId(place), at: toMillis(place), conversation, key, body }
        added.push(entry)
        return entry
      })
    })
    // Followers first: who awaits the append may rely on what they were told. [L16]
    if (added.length > 0) followers.announce(added)
    batch.forEach(({ write, resolve, reject }, n) => {
      const answer = answers[n]
      if (answer) resolve(answer)
      else reject(new Conflict(`${write.conversation} has moved on`))
    })
  }

  async function read(page: Page) {
    refuseWhenClosed()
    return readPage(page)
  }

  // Followers read on while a closing log still flushes, so that its end is no failure to them. [L17]
  async function readPage({ conversation, after, before, limit }: Page) {
    const newest = before !== undefined && after === undefined
    const range = { conversation, after: Number(after ?? 0), before: bound(before), limit, newest }
    return (await thread.call('read', range)).map(toEntry)
  }

  async function find(conversation: string, key: string) {
    refuseWhenClosed()
    const row = await thread.call('find', conversation, key)
    return row && toEntry(row)
  }

  function follow(...following: Parameters<Log['follow']>) {
    refuseWhenClosed()
    return followers.follow(...following)
  }

  function signal(conversation: string, signal: unknown) {
    followers.signal(conversation, signal)
  }

  async function conversations({ before, limit }: { before?: string; limit: number }) {
    refuseWhenClosed()
    const rows = await thread.call('conversations', bound(before), limit)
    return rows.map(([conversation, last]) => ({ conversation, last: toId(last) }))
  }

  async function get(conversation: string) {
    refuseWhenClosed()
    const row = await thread.call('snapshot', conversation)
    return row && { at: toId(row[0]), state: JSON.parse(row[1]) }
  }

  async function search({ query, conversation, before, limit }: Wanted): Promise<Findings> {
    refuseWhenClosed()
    const wanted = { query, conversation, before: bound(before), limit }
    const { hits, next, indexing } = await thread.call('search', wanted)
    return {
      hits: hits.map(([id, conversation, snippet]) => ({ id: toId(id), at: toMillis(id), conversation, snippet })),
      next: next === undefined ? undefined : toId(next),
      indexing,
    }
  }

  async function last() {
    refuseWhenClosed()
    return toId(await thread.call('last'))
  }

  function close() {
    closing ??= flushAndClose()
    return closing
  }

  async function flushAndClose() {
    await committing
    followers.close()
    await thread.close()
  }

  function refuseWhenClosed() {
    if (closing) throw new Error('The log is closed')
  }
}

function bound(before: string | undefined) {
  return before === undefined ? Number.MAX_SAFE_INTEGER : Number(before)
}

function toEntry([id, conversation, key, body]: Row): LogEntry {
  return { id: toId(id), at: toMillis(id), conversation, key: key ?? undefined, body: JSON.parse(body) }
}

function toMillis(micros: number) {
  return Math.floor(micros / 1000)
}

function toId(micros: number) {
  return String(micros).padStart(16, '0')
}

function toText(value: unknown) {
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError('Only JSON values can be stored')
  return text
}
