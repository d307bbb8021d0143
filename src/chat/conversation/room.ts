import { randomUUID } from 'node:crypto'
import type { ClearTexts } from '../../files/clear-texts.ts'
import { Conflict, type Journal, type LogEntry } from '../../log/journal.ts'
import type { Views } from '../../log/views.ts'
import { AFTER_ALL, type Entry } from '../../protocol/entries/entry.ts'
import { type ConversationState, emptyConversation, fold } from '../../protocol/entries/fold.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { ClearText } from '../../protocol/secrets/clear-text.ts'
import type { OpenLimits } from '../questions/open-limits.ts'
import { parted } from './clear-call.ts'
import { type Decide, NotYet, type Proposed, placeholder } from './decision.ts'
import { createSeen } from './seen.ts'
import { mustFit } from './text-size.ts'

export type Room = Awaited<ReturnType<typeof openRoom>>

export interface RoomParts {
  journal: Journal
  views: Pick<Views, 'read' | 'find' | 'snapshots'>
  conversation: string
  /** Gets what is masked in what is appended. */
  clear: Pick<ClearTexts, 'keep'>
  textLimitBytes: number
  openLimits: OpenLimits
  report(error: unknown): void
}

export interface How {
  /** The key of the last draft that is decided. */
  key?: string
  /** Called before it is decided, with the last entry that it will be appended behind; throws to refuse. */
  first?(last: string): Promise<void>
  /** Whether it is appended together with whatever comes next, or a little later. */
  soon?: boolean
}

/** A conversation that is to be forgotten. */
export interface Leave {
  /** The last entries there, given its state. */
  lastWords: Decide
  /** Called once its last entry is known, before it is gone. */
  prepare(last: string): Promise<void>
  /** Other traces of it, by the beginnings of names of snapshots. */
  traces: string[]
}

interface Job extends Pick<How, 'key' | 'first'> {
  decide: Decide
  resolve(entries: Entry[]): void
  reject(error: unknown): void
}

/** The format of a conversation in a snapshot. With another number, what an older Parley stored is read anew. */
const FORMAT = 1
const SNAPSHOT_EVERY = 250
/** A room with fewer new entries than this is read again as quickly as a snapshot is. */
const SNAPSHOT_WORTH = 25
const SOON_MS = 100

/**
 * One conversation: its folded state, and the one place that appends to it. The state comes from following the journal
 * and from nothing else, so that it makes no difference who appended.
 */
export async function openRoom({ journal, views, conversation, clear, textLimitBytes, openLimits, report }: RoomParts) {
  const [snapshot, [newest]] = await Promise.all([
    views.snapshots.get(conversation, FORMAT),
    views.read({ conversation, before: AFTER_ALL, limit: 1 }),
  ])
  let state = snapshot ? (snapshot.state as ConversationState) : emptyConversation(conversation)
  let sinceSnapshot = 0
  let waiting: Job[] = []
  let draining: Promise<void> | undefined
  let soon: NodeJS.Timeout | undefined
  let leaving: (() => Promise<void>) | undefined
  const seen = createSeen(state.last)
  const following = journal.follow(
    { conversation, after: state.last },
    { entries: absorb, forgotten: beginAnew, failed: seen.fail },
  )
  if (newest) await seen.until(newest.id)

  return {
    get state() {
      return state
    },
    /** Nothing of it is under way, so that it can be let go. */
    isIdle: () => waiting.length === 0 && draining === undefined,
    hasFailed: seen.hasFailed,
    append,
    forget,
    flush,
    close,
  }

  /** Resolves with the entries of what is decided once they are durable and the state has them. */
  function append(decide: Decide, { key, first, soon: isPatient }: How = {}): Promise<Entry[]> {
    return new Promise((resolve, reject) => {
      waiting.push({ decide, key, first, resolve, reject })
      if (isPatient) soon ??= setTimeout(flush, SOON_MS).unref()
      else begin()
    })
  }

  /** Resolves when it is gone. What is appended meanwhile begins a new conversation of its name. */
  function forget(leave: Leave): Promise<void> {
    return new Promise((resolve, reject) => {
      leaving = () => leaveWith(leave).then(resolve, reject)
      begin()
    })
  }

  /** Resolves when nothing waits to be appended any more. */
  async function flush(): Promise<void> {
    begin()
    await draining
  }

  function begin() {
    if (waiting.length > 0 || leaving) draining ??= drain()
  }

  async function drain() {
    while (waiting.length > 0 || leaving) {
      clearTimeout(soon)
      soon = undefined
      const jobs = waiting
      const leave = leaving
      waiting = []
      leaving = undefined
      await commit(jobs)
      if (leave) await leave()
    }
    draining = undefined
  }

  async function leaveWith({ lastWords, prepare, traces }: Leave) {
    try {
      const drafts = lastWords(state)
      const said = drafts.length > 0 ? await journal.append(conversation, state.last, drafts) : []
      await seen.until(said.at(-1)?.id ?? state.last)
      await prepare(state.last)
      await journal.forget(conversation, state.last, traces)
    } catch (error) {
      throw error instanceof Conflict ? new ParleyError('conflict', {}, error) : error
    }
  }

  /** Everything that waited shares one append; each job sees what the ones before it decided. */
  async function commit(jobs: Job[]) {
    const known = state
    const drafts: Proposed[] = []
    const drafted: { job: Job; from: number; to: number }[] = []
    const refused: { job: Job; error: unknown; keys: string[] }[] = []
    const admitted: (() => void)[] = []
    const masked = new Map<string, ClearText>()
    let ahead = known
    let folded = 0
    for (const job of jobs) {
      let proposed: Proposed[] = []
      try {
        if (job.first) await job.first(known.last)
        for (const { body } of drafts.slice(folded)) ahead = fold(ahead, placeholder(known, folded++, body))
        const from = drafts.length
        proposed = decided(job, ahead, masked)
        if (job.key !== undefined && proposed.length > 1) proposed = await withoutRepeats(job.key, proposed)
        admitted.push(openLimits.admit(conversation, proposed))
        drafts.push(...proposed)
        drafted.push({ job, from, to: drafts.length })
      } catch (error) {
        if (error instanceof NotYet) waiting.push(job)
        else refused.push({ job, error, keys: keysIn(job, proposed) })
      }
    }
    try {
      // First: what is shown can be revealed, whatever happens now. [S113]
      if (masked.size > 0) await clear.keep(conversation, keptOf(drafts, masked))
      const entries = drafts.length > 0 ? ((await journal.append(conversation, known.last, drafts)) as Entry[]) : []
      // A key that was held brings an entry of long ago.
      const newest = entries.reduce((last, { id }) => (id > last ? id : last), '')
      if (!seen.has(newest)) await seen.until(newest)
      for (const { job, from, to } of drafted) job.resolve(entries.slice(from, to))
    } catch (error) {
      await retry(drafted, known, error)
    } finally {
      for (const isOpen of admitted) isOpen()
    }
    // The refusals come last: what a key leads to may just have been appended.
    for (const { job, error, keys } of refused) void refuse(job, error, keys)
  }

  function decided({ decide, key }: Job, ahead: ConversationState, masked: Map<string, ClearText>): Proposed[] {
    const proposed = decide(ahead).map((one) => {
      const { body, clear } = parted(one.body, randomUUID, textLimitBytes)
      if (clear) masked.set(...clear)
      return { ...one, body }
    })
    mustFit(proposed, textLimitBytes)
    if (key === undefined) return proposed
    return proposed.map((one, n) => (n === proposed.length - 1 ? { ...one, key } : one))
  }

  /** The other effects of a command belong to it: where its key leads to what it did, it does nothing again. */
  async function withoutRepeats(key: string, proposed: Proposed[]): Promise<Proposed[]> {
    return (await views.find(conversation, key)) ? proposed.slice(-1) : proposed
  }

  /** The jobs decide again on what is new when somebody else appended first. */
  async function retry(drafted: { job: Job }[], known: ConversationState, error: unknown) {
    const jobs = drafted.map(({ job }) => job)
    if (!(error instanceof Conflict)) return rejectAll(jobs, error)
    const further = state.last === known.last ? seen.further() : Promise.resolve()
    await further.then(
      () => {
        waiting = [...jobs, ...waiting]
      },
      (error) => rejectAll(jobs, error),
    )
  }

  function rejectAll(jobs: Job[], error: unknown) {
    for (const job of jobs) job.reject(error)
  }

  /** A command that was carried out before is not refused when it is repeated: its key leads to what it did. */
  async function refuse(job: Job, error: unknown, keys: string[]) {
    try {
      const wanted = error instanceof ParleyError ? keys : []
      const first = await Promise.all(wanted.map((key) => views.find(conversation, key)))
      if (first.length > 0 && !first.includes(undefined)) job.resolve(first as Entry[])
      else job.reject(error)
    } catch (failed) {
      job.reject(failed)
    }
  }

  function absorb(entries: LogEntry[]) {
    for (const entry of entries) state = fold(state, entry as Entry)
    sinceSnapshot += entries.length
    if (sinceSnapshot >= SNAPSHOT_EVERY) takeSnapshot()
    seen.moveTo(state.last)
  }

  function beginAnew() {
    state = emptyConversation(conversation)
    sinceSnapshot = 0
  }

  /** It only saves reading: without it the tail is longer, never wrong. */
  function takeSnapshot() {
    sinceSnapshot = 0
    views.snapshots.put(conversation, { format: FORMAT, at: state.last, state }).catch(report)
  }

  /** A later caller opens it again. */
  function close() {
    clearTimeout(soon)
    following.close()
    if (sinceSnapshot >= SNAPSHOT_WORTH && !seen.hasFailed()) takeSnapshot()
  }
}

/** The clear texts of what is appended, not of what was refused. */
function keptOf(drafts: Proposed[], masked: ReadonlyMap<string, ClearText>): Map<string, ClearText> {
  const names = new Set(drafts.map(({ body }) => 'clear' in body && body.clear))
  return new Map([...masked].filter(([name]) => names.has(name)))
}

/** Those that lead to what was done before: of the command, or of all that an agent asks or tells with it. */
function keysIn({ key }: Job, proposed: Proposed[]): string[] {
  if (key !== undefined) return [key]
  return proposed.flatMap((one) => (one.body.kind === 'settlement' ? [] : (one.key ?? [])))
}
