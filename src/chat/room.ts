import { Conflict, type Draft, type Log, type LogEntry } from '../log/log.ts'
import type { Body, Entry } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import { type Conversation, emptyConversation, fold } from '../protocol/fold.ts'
import { mustFit } from './text-size.ts'

/** What to append, given the conversation as it will be when the turn comes. Throws to refuse. */
export type Decide = (state: Conversation) => Body[]

export interface Room {
  readonly state: Conversation
  /** Resolves with the entry of the last body once it is durable. The key, if any, belongs to that body. */
  append(decide: Decide, key?: string): Promise<Entry>
  /** Appends together with whatever comes next, or soon: for what nobody waits for. */
  appendSoon(decide: Decide): void
  /** Resolves when nothing waits to be appended any more. */
  flush(): Promise<void>
}

interface RoomParts {
  log: Log
  conversation: string
  textLimitBytes: number
  onEntry(entry: Entry, state: Conversation): void
}

interface Job {
  decide: Decide
  key?: string
  resolve(entry: Entry): void
  reject(error: unknown): void
}

const NO_ID = '~'

/** What a decision needs the id of is being appended just now; it decides again afterwards. */
class NotYet extends Error {}

/** The id of what others have decided may not be known yet: whoever writes it down must ask for it here. */
export function knownId(id: string): string {
  if (id.startsWith(NO_ID)) throw new NotYet()
  return id
}

const SNAPSHOT_EVERY = 250
const TAIL_PAGE = 500
const SOON_MS = 100
/** One conversation: its folded state, and the one place that appends to it. */
export async function openRoom({ log, conversation, textLimitBytes, onEntry }: RoomParts): Promise<Room> {
  let state = emptyConversation(conversation)
  let sinceSnapshot = 0
  let waiting: Job[] = []
  let draining: Promise<void> | undefined
  let soon: NodeJS.Timeout | undefined

  const snapshot = await log.snapshot.get(conversation)
  if (snapshot) state = snapshot.state as Conversation
  await catchUp()

  return {
    get state() {
      return state
    },
    append: (decide, key) =>
      new Promise((resolve, reject) => {
        waiting.push({ decide, key, resolve, reject })
        void flush()
      }),
    appendSoon(decide) {
      // Only receipts come this way: one that is lost means that its message is handed over again.
      waiting.push({ decide, resolve: ignore, reject: ignore })
      soon ??= setTimeout(flush, SOON_MS).unref()
    },
    flush,
  }

  async function flush(): Promise<void> {
    if (waiting.length > 0) draining ??= drain()
    await draining
  }

  async function drain() {
    while (waiting.length > 0) {
      clearTimeout(soon)
      soon = undefined
      const jobs = waiting
      waiting = []
      await commit(jobs)
    }
    draining = undefined
  }

  /** Everything that waited shares one append; each job sees what the ones before it decided. */
  async function commit(jobs: Job[]) {
    const drafts: Draft[] = []
    const drafted: { job: Job; last: number }[] = []
    const refused: { job: Job; error: unknown }[] = []
    let ahead = state
    let folded = 0
    for (const job of jobs) {
      try {
        for (; folded < drafts.length; folded++) ahead = fold(ahead, expected(drafts[folded]?.body as Body, folded))
        const bodies = mustFit(job.decide(ahead), textLimitBytes)
        for (const body of bodies) drafts.push({ body })
        const last = drafts.at(-1)
        if (last && bodies.length > 0 && job.key) last.key = job.key
        drafted.push({ job, last: drafts.length - 1 })
      } catch (error) {
        if (error instanceof NotYet) waiting.push(job)
        else refused.push({ job, error })
      }
    }
    try {
      const entries = drafts.length > 0 ? ((await log.append(conversation, state.last, drafts)) as Entry[]) : []
      for (const entry of entries) absorb(entry)
      takeSnapshot()
      for (const { job, last } of drafted) job.resolve(entries[last] as Entry)
    } catch (error) {
      await retry(drafted, error)
    }
    // Not earlier: what a key leads to may just have been appended.
    for (const { job, error } of refused) void refuse(job, error)
  }

  /** When somebody else appended first, the jobs decide again on what is new. */
  async function retry(drafted: { job: Job }[], error: unknown) {
    try {
      if (!(error instanceof Conflict)) throw error
      await catchUp()
      waiting = [...drafted.map(({ job }) => job), ...waiting]
    } catch (error) {
      for (const { job } of drafted) job.reject(error)
    }
  }

  /** A command that was carried out before is not refused when it is repeated: its key leads to what it did. */
  async function refuse(job: Job, error: unknown) {
    const first = error instanceof ParleyError && job.key ? await log.find(conversation, job.key) : undefined
    if (first) job.resolve(first as Entry)
    else job.reject(error)
  }

  /** Stands in for an entry that has no id yet: sorts after every id, in the order of the drafts. */
  function expected(body: Body, place: number): Entry {
    return { id: `${NO_ID}${String(place).padStart(15, '0')}`, conversation, at: state.last_at, body }
  }

  function absorb(entry: Entry) {
    if (entry.id <= state.last) return
    state = fold(state, entry)
    sinceSnapshot++
    onEntry(entry, state)
  }

  async function catchUp() {
    let page: LogEntry[]
    do {
      page = await log.read({ conversation, after: state.last, limit: TAIL_PAGE })
      for (const entry of page) absorb(entry as Entry)
    } while (page.length === TAIL_PAGE)
  }

  function takeSnapshot() {
    if (sinceSnapshot < SNAPSHOT_EVERY) return
    sinceSnapshot = 0
    // A snapshot only saves reading; without it the tail is longer, never wrong.
    log.snapshot.put(conversation, { at: state.last, state }).catch(ignore)
  }
}

function ignore() {}
