import type { Journal, LogEntry } from '../../log/journal.ts'
import type { Views } from '../../log/views.ts'
import { BEFORE_ALL, type Entry, isSettlement, type SettledEntry } from '../../protocol/entries/entry.ts'
import { agentIn } from '../../protocol/entries/fold.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { isInboxMessage } from '../../protocol/frames/inbox.ts'
import { createCallLedger, type OwedCall } from '../approvals/call-ledger.ts'
import { createOwedWords, isSaidByPerson, type StoredOwed } from '../driving/owed-words.ts'
import { add as addTo, NOTHING, payersOf, type Taken } from '../questions/open-limits.ts'
import type { Looks, StoredLook } from '../reading/looks.ts'
import { createSeen } from './seen.ts'
import { twice } from './steady.ts'
import { systemName } from './system-name.ts'
import { bytesOf } from './text-size.ts'

export type Projection = ReturnType<typeof openProjection>

interface OpenPlace {
  conversation: string
  expires_at?: number
  /** The asker, and the size; absent in what an older Parley stored. */
  asker?: string
  by?: string
  folder?: string
  visit?: string
  bytes?: number
}

interface ProjectionParts {
  journal: Journal
  views: Pick<Views, 'snapshots'>
  looks: Pick<Looks, 'see' | 'forget' | 'all' | 'restore'>
  /** A question is open from now on; the first ones are told when the projection is ready. */
  opened(question: string, place: OpenPlace): void
  settled(settlement: SettledEntry, place: OpenPlace): void
  /** Receives every entry from then on, with the runner that it gives something to do. */
  happened(entry: Entry, wanted?: string): void
  /** It cannot follow any more. */
  failed(error: unknown): void
  report(error: unknown): void
}

interface State {
  /** The id up to which everything is in it. */
  at: string
  open: [question: string, place: OpenPlace][]
  said: string
  /** Absent in what an older Parley stored, which knew of none. */
  revised?: [message: string, revision: string][]
  runners?: [conversation: string, runner: string][]
  calls?: [call: string, owed: OwedCall][]
  waiting?: string[]
  leases?: [conversation: string, newest: number][]
  granted?: string[]
  owed?: StoredOwed[]
  looks?: StoredLook[]
}

const NAME = systemName('projection')
const FORMAT = 2
const OLDER_FORMAT = 1
const SNAPSHOT_EVERY = 1000

/**
 * The state that spans conversations: which questions are open and where, what was said last, and which messages were
 * changed or taken back, each with its newest revision, which runner a conversation was given to, where nobody has
 * answered yet, where a tool is always allowed, and which calls are not over. It follows the whole journal and begins
 * from its own snapshot, so that a start never walks all conversations.
 */
export function openProjection({ journal, views, looks, opened, settled, happened, failed, report }: ProjectionParts) {
  const open = new Map<string, OpenPlace>()
  const counts = new Map<string, number>()
  const taken = new Map<string, Taken>()
  const revised = new Map<string, string>()
  const runners = new Map<string, string>()
  const waiting = new Set<string>()
  const leases = new Map<string, number>()
  let owed = createOwedWords()
  /**
   * The conversations where a tool was always allowed; unknown until somebody has looked where an older Parley did not
   * keep it.
   */
  let granted: Set<string> | undefined = new Set<string>()
  let calls = createCallLedger()
  let at = BEFORE_ALL
  let said = BEFORE_ALL
  let sinceSnapshot = 0
  let isReady = false
  let closed = false
  const seen = createSeen(at)
  let following: { close(): void } | undefined
  const ready = start()
  // The error is handled also when nobody waits for it.
  ready.catch((error: unknown) => {
    if (!closed && !seen.hasFailed()) fail(error)
  })

  return {
    /** Resolves once it has everything that was in the journal when it was opened. Rejects when that cannot be read. */
    ready,
    /** Resolves once it has everything up to this entry. */
    reached: seen.until,
    placeOf: (question: string) => open.get(question)?.conversation,
    isAnyIn: (conversation: string) => counts.has(conversation),
    /** The one of the oldest question first. */
    conversations: () => [...new Set([...open.values()].map(({ conversation }) => conversation))],
    count: () => open.size,
    openOf: (payer: string): Taken => taken.get(payer) ?? NOTHING,
    /** The ids of the last entry and of the last message of all conversations. */
    lastSaid: () => ({ at, said }),
    /** The id of the last entry of all conversations, where that is at hand. */
    last: () => (isReady && !seen.hasFailed() ? at : undefined),
    /**
     * Resolves once what it knows now, but for a conversation that is to be forgotten, is what it begins with the next
     * time.
     */
    keep,
    /** The newest revision of a message, if it has one, and the one that took the place of a revision. */
    revisionOf: (message: string) => revised.get(message),
    /** Calls of mounted tools that something is owed to. */
    calls: () => calls,
    /** The runner that a conversation was given to. */
    runnerOf: (conversation: string) => runners.get(conversation),
    /**
     * The conversations where a person spoke and no agent did anything since, as far as no runner was chosen; some have
     * an agent that is away.
     */
    waiting: () => [...waiting],
    /** The number of the newest lease under which anything was written there. */
    leaseIn: (conversation: string) => leases.get(conversation) ?? 0,
    /** The conversations of a runner where it has something to do. */
    owedBy: (runner: string) =>
      owed
        .all()
        .flatMap(([conversation, , given]) => (runners.get(conversation) === runner ? { conversation, given } : [])),
    /** The conversations in which a tool is always allowed, or was; nothing where that is not known. */
    granted(found?: string[]) {
      if (found && !granted) granted = new Set(found)
      return granted && [...granted]
    },
    /** It has an agent, and is looked at no more. */
    passBy: (conversation: string) => waiting.delete(conversation),
    close,
  }

  async function start() {
    const [snapshot, last] = await twice(() => Promise.all([stored(), journal.last()]), report)
    if (snapshot) restore(snapshot.state as State)
    if (closed) return
    following = journal.follow({ after: at }, { entries: absorb, forgotten: forget, failed: fail })
    await seen.until(last)
    isReady = true
    for (const [question, place] of open) opened(question, place)
  }

  async function stored() {
    return (await views.snapshots.get(NAME, FORMAT)) ?? views.snapshots.get(NAME, OLDER_FORMAT)
  }

  function restore(state: State) {
    at = state.at
    said = state.said
    for (const [message, revision] of state.revised ?? []) revised.set(message, revision)
    for (const [conversation, runner] of state.runners ?? []) runners.set(conversation, runner)
    calls = createCallLedger(state.calls)
    for (const conversation of state.waiting ?? []) waiting.add(conversation)
    for (const [conversation, newest] of state.leases ?? []) leases.set(conversation, newest)
    owed = createOwedWords(state.owed)
    looks.restore(state.looks)
    for (const [question, place] of state.open) add(question, place)
    granted = state.granted && new Set(state.granted)
    seen.moveTo(at)
  }

  function absorb(entries: LogEntry[]) {
    for (const entry of entries as Entry[]) if (entry.id > at) see(entry)
    sinceSnapshot += entries.length
    if (sinceSnapshot >= SNAPSHOT_EVERY) takeSnapshot()
    seen.moveTo(at)
  }

  function see(entry: Entry) {
    const { id, conversation, body } = entry
    at = id
    if (isInboxMessage(body)) said = id
    calls.see(entry)
    if (body.kind === 'revision') revise(body.message, id)
    if ('lease' in body && body.lease !== undefined) leases.set(conversation, body.lease)
    if (body.kind === 'wish' && body.runner !== undefined) runners.set(conversation, body.runner)
    if (body.kind === 'title' && body.look !== undefined) looks.see(conversation, body.folder, body.look)
    noteWaiting(conversation, body)
    const runner = runners.get(conversation)
    const wanted = runner !== undefined && owed.see(entry) ? runner : undefined
    if (body.kind === 'question') {
      const { expires_at, asker, by, folder, visit } = body
      const place = { conversation, expires_at, asker, by, folder, visit, bytes: bytesOf(body) }
      add(id, place)
      if (isReady) opened(id, place)
    }
    if (body.kind === 'settlement' && body.always === 'granted' && body.scope === undefined) granted?.add(conversation)
    const place = isSettlement(entry) ? remove(entry.body.question) : undefined
    if (place && isSettlement(entry)) settled(entry, place)
    if (isReady) happened(entry, wanted)
  }

  /** The one before it is not read any more either. */
  function revise(message: string, revision: string) {
    const before = revised.get(message)
    if (before !== undefined) revised.set(before, revision)
    revised.set(message, revision)
  }

  function noteWaiting(conversation: string, body: Entry['body']) {
    if (agentIn(body) !== undefined || body.kind === 'receipt' || runners.has(conversation))
      waiting.delete(conversation)
    else if (isSaidByPerson(body)) waiting.add(conversation)
  }

  function add(question: string, place: OpenPlace) {
    open.set(question, place)
    count(place, 1)
    counts.set(place.conversation, (counts.get(place.conversation) ?? 0) + 1)
  }

  function remove(question: string): OpenPlace | undefined {
    const place = open.get(question)
    if (!place) return undefined
    open.delete(question)
    count(place, -1)
    const others = (counts.get(place.conversation) ?? 1) - 1
    if (others > 0) counts.set(place.conversation, others)
    else counts.delete(place.conversation)
    return place
  }

  function count(place: OpenPlace, by: 1 | -1) {
    for (const payer of payersOf(place.conversation, place))
      addTo(taken, payer, { count: by, bytes: by * (place.bytes ?? 0) })
  }

  function forget(gone: string) {
    runners.delete(gone)
    waiting.delete(gone)
    leases.delete(gone)
    owed.forget(gone)
    looks.forget(gone)
    calls.forget(gone)
    granted?.delete(gone)
  }

  function fail(error: unknown) {
    seen.fail(error)
    failed(error)
  }

  /** It only saves reading. */
  function takeSnapshot() {
    keep().catch(report)
  }

  async function keep(without?: string) {
    sinceSnapshot = 0
    const stays = (conversation: string) => conversation !== without
    const state: State = {
      ...{ at, said, open: [...open], revised: [...revised] },
      runners: [...runners].filter(([conversation]) => stays(conversation)),
      waiting: [...waiting].filter(stays),
      leases: [...leases].filter(([conversation]) => stays(conversation)),
      owed: owed.all().filter(([conversation]) => stays(conversation)),
      looks: looks.all().filter(([conversation]) => stays(conversation)),
      calls: calls.all().filter(([, { conversation }]) => stays(conversation)),
      ...(granted && { granted: [...granted].filter(stays) }),
    }
    await views.snapshots.put(NAME, { format: FORMAT, at, state })
  }

  function close() {
    closed = true
    following?.close()
    seen.fail(new ParleyError('shutting_down'))
    if (sinceSnapshot > 0) takeSnapshot()
  }
}
