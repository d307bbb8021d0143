import { createQueue } from '../../io/queue.ts'
import { createFollowers } from '../followers.ts'
import { Conflict, type Draft, type Journal, type LogEntry, type NamesIn, type ReadBody } from '../journal.ts'
import type { Findings, SearchQuery } from '../search/search.ts'
import { searchInPieces } from '../search/sqlite-search-pieces.ts'
import { forgiving, toText, toTexts } from '../stored-text.ts'
import { type Entries, type Log, type Page, roomInPage, type Snapshot } from '../views.ts'
import { createNotePort } from './sqlite-note-port.ts'
import type { PutNote } from './sqlite-notes.ts'
import type { Append, Committed, Placements, Row } from './sqlite-store.ts'
import { openSqliteThread, type SqliteThread, startSqliteThread } from './sqlite-thread.ts'
import type { Queued, SettledWrite } from './sqlite-writes.ts'

interface SqliteLogOptions {
  /** What the text of a body means; without it, its JSON value. */
  readBody?: ReadBody
  /** Whoever appends here appends only what `readBody` takes for what it says, so that it is not asked. [L51] */
  appendsReadable?: boolean
  /** Entries have no names without it. */
  namesIn?: NamesIn
  /** The address of a module that exports a `TextOf` as `textOf`: with it, the log can be searched. */
  text?: URL
  /** One that was started for this file already. */
  thread?: SqliteThread
}

/** A log in one SQLite file that this process holds alone. `:memory:` keeps it in memory. */
export async function openSqliteLog(
  path: string,
  {
    readBody = JSON.parse,
    appendsReadable = false,
    namesIn,
    text,
    thread: started = startSqliteThread({ path, text: text?.href }),
  }: SqliteLogOptions = {},
): Promise<Log> {
  const bodyIn = forgiving(readBody, (text) => text)
  const ownBodyIn = appendsReadable ? JSON.parse : bodyIn
  const followers = createFollowers(readPage)
  const thread = await openSqliteThread(started, followers.fail)
  const queue: Queued[] = []
  const notes = createNotePort({ thread, enqueue, refuseWhenClosed })
  let committing: Promise<void> | undefined
  let closing: Promise<void> | undefined

  const erasing = createQueue()

  const log: Log = {
    append,
    forget,
    erased,
    read,
    find,
    forgottenTo,
    named,
    follow,
    signal,
    conversations,
    snapshots: { get, put },
    notes: notes.port,
    last,
    close,
  }
  // Goes on with what another process did not finish; whoever waits for it is told if that fails.
  if (text) erased().catch(() => {})
  return text ? { ...log, search, tags } : log

  function append(conversation: string, expectedLast: string, drafts: Draft[]) {
    return new Promise<LogEntry[]>((resolve, reject) => {
      if (drafts.length === 0) return resolve([])
      const write = { conversation, expectedLast: Number(expectedLast), drafts: toTexts(conversation, drafts, namesIn) }
      enqueue({ write, settled, refused: reject })

      function settled(answer: SettledWrite) {
        if (typeof answer === 'object' && 'entries' in answer) resolve(answer.entries)
        else reject(new Conflict(`${conversation} has moved on`))
      }
    })
  }

  function put(name: string, { format, at, state }: Snapshot) {
    return new Promise<void>((resolve, reject) => {
      const write = { name, format, at: Number(at), state: toText(state) }
      enqueue({ write, settled: () => resolve(), refused: reject })
    })
  }

  function forget(conversation: string, expectedLast: string, traces: string[] = []) {
    return new Promise<void>((resolve, reject) => {
      const write = { forget: conversation, expectedLast: Number(expectedLast), traces }
      enqueue({ write, settled, refused: reject })

      function settled(answer: SettledWrite) {
        if (answer === 'conflict') return reject(new Conflict(`${conversation} has moved on`))
        erased().catch(() => {})
        resolve()
      }
    })
  }

  function erased(): Promise<void> {
    return erasing.add(eraseAll)
  }

  /** Each piece is a call of its own, so that appends come in between. */
  async function eraseAll() {
    do refuseWhenClosed()
    while (await thread.call('erase'))
  }

  function enqueue(queued: Queued) {
    refuseWhenClosed()
    queue.push(queued)
    committing ??= commitQueued()
  }

  /** One transaction at a time: what is queued while the disk is busy shares the next one. Never rejects. */
  async function commitQueued() {
    // Appends of this same tick share the first one.
    await undefined
    while (queue.length > 0) {
      const batch = queue.splice(0, fitting(queue))
      const writes = batch.map(({ write }) => write)
      try {
        settle(batch, await thread.call('commit', writes))
      } catch (error) {
        refuse(batch, error)
      }
    }
    committing = undefined
  }

  function refuse(batch: Queued[], error: unknown) {
    for (const { refused } of batch) refused(error)
  }

  function settle(batch: Queued[], { at, outcomes }: Committed) {
    const added: LogEntry[] = []
    const answers = batch.map(({ write }, n): SettledWrite => {
      const outcome = outcomes[n] as Committed['outcomes'][number]
      if (outcome === 'conflict') return outcome
      if ('revision' in outcome) return notes.announce(write as PutNote, outcome)
      if ('gone' in outcome) notes.announceGone(outcome.gone)
      if ('forget' in write && write.expectedLast > 0) {
        announce(added.splice(0))
        followers.forget(write.forget)
      }
      return 'drafts' in write ? { entries: entriesOf(write, at, outcome as Placements, added) } : 'done'
    })
    // Followers come first: whoever awaits the append may rely on what they were told. [L16]
    announce(added)
    batch.forEach(({ settled }, n) => {
      settled(answers[n] as SettledWrite)
    })
  }

  function announce(added: LogEntry[]) {
    if (added.length > 0) followers.announce(added)
  }

  /** One for each draft. Those that are new are made from their text here, once for everyone. [L40] [L51] */
  function entriesOf(write: Append, at: number, outcome: Placements, added: LogEntry[]) {
    return write.drafts.map(([key, body], n) => {
      const id = outcome[n] as number | Row
      if (Array.isArray(id)) return toEntry(id)
      const entry = toEntry([id, write.conversation, key ?? null, body, at], ownBodyIn)
      added.push(entry)
      return entry
    })
  }

  async function read(page: Page) {
    refuseWhenClosed()
    return readPage(page)
  }

  // Followers read on while a closing log still flushes, so that its end is no failure to them. [L17]
  async function readPage({ conversation, after, before, limit }: Page): Promise<Entries> {
    const newest = before !== undefined && after === undefined
    const range = { conversation, after: Number(after ?? 0), before: bound(before), limit, newest }
    const { rows, full } = await thread.call('read', range)
    const entries: Entries = rows.map((row) => toEntry(row))
    return full ? Object.assign(entries, { full } as const) : entries
  }

  async function find(conversation: string, key: string) {
    refuseWhenClosed()
    const row = await thread.call('find', conversation, key)
    return row && toEntry(row)
  }

  async function forgottenTo() {
    refuseWhenClosed()
    return toId(await thread.call('forgottenTo'))
  }

  async function named(names: string[], conversation?: string) {
    refuseWhenClosed()
    return thread.call('named', names, conversation)
  }

  function follow(...following: Parameters<Journal['follow']>) {
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

  async function get(name: string, format: number): Promise<Snapshot | undefined> {
    refuseWhenClosed()
    const row = await thread.call('snapshot', name, format)
    const state = row && stateIn(row[1])
    return row && state !== undefined ? { format, at: toId(row[0]), state } : undefined
  }

  async function search({
    before,
    since = 0,
    until = Infinity,
    tags = [],
    similar = false,
    ...more
  }: SearchQuery): Promise<Findings> {
    refuseWhenClosed()
    const wanted = { ...more, similar, before: bound(before), since, until, tags }
    const { hits, next, indexing } = await searchInPieces(wanted, (piece) => thread.call('search', piece))
    return {
      hits: hits.map(([id, conversation, snippet, tags, at]) => ({
        id: toId(id),
        at,
        conversation,
        snippet,
        tags,
      })),
      next: next === undefined ? undefined : toId(next),
      indexing,
    }
  }

  async function tags(beginning: string, limit: number): Promise<string[]> {
    refuseWhenClosed()
    return thread.call('tags', beginning, limit)
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
    await erasing.idle()
    followers.close()
    notes.close()
    await thread.close()
  }

  function refuseWhenClosed() {
    if (closing) throw new Error('The log is closed')
  }

  function toEntry([id, conversation, key, body, at]: Row, read: ReadBody = bodyIn): LogEntry {
    return { id: toId(id), at, conversation, key: key ?? undefined, body: read(body) }
  }
}

/** How many of them share a commit: followers are told all of it at once, so that it is no more than a page. [S60] */
function fitting(queue: Queued[]): number {
  const fits = roomInPage()
  const end = queue.findIndex(({ write }) => 'drafts' in write && !write.drafts.every(([, body]) => fits(body)))
  return end < 0 ? queue.length : Math.max(1, end)
}

/** A state that cannot be read is made again from the entries, as if there were none. */
const stateIn = forgiving<unknown>(JSON.parse, () => undefined)

function bound(before: string | undefined) {
  return before === undefined ? Number.MAX_SAFE_INTEGER : Number(before)
}

function toId(id: number) {
  return String(id).padStart(16, '0')
}
