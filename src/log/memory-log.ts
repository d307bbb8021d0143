import { createFollowers } from './followers.ts'
import { Conflict, type Draft, type Log, type LogEntry, NO_ENTRY, type Page, type Snapshot } from './log.ts'

/** For tests: keeps every promise of a log except that it outlives the process. */
export function openMemoryLog(): Log {
  const entries: LogEntry[] = []
  const byConversation = new Map<string, LogEntry[]>()
  const byKey = new Map<string, LogEntry>()
  const snapshots = new Map<string, Snapshot>()
  const followers = createFollowers(readPage)
  let micros = 0
  let closed = false

  return { append, read, find, follow, signal, conversations, snapshot: { get, put }, last, close }

  async function append(conversation: string, expectedLast: string, drafts: Draft[]) {
    refuseWhenClosed()
    // A follower may append while a commit is announced to it; that one must be announced after this one.
    await undefined
    const held = drafts.map(({ key }) => heldUnder(conversation, key))
    if (held.every((entry) => entry !== undefined)) return held
    const newest = byConversation.get(conversation)?.at(-1)?.id ?? NO_ENTRY
    if (newest !== expectedLast) throw new Conflict(`${conversation} ends at ${newest}, not at ${expectedLast}`)

    const start = entries.length
    const answer = drafts.map((draft) => heldUnder(conversation, draft.key) ?? store(conversation, draft))
    followers.announce(entries.slice(start))
    return answer
  }

  function heldUnder(conversation: string, key: string | undefined) {
    return key === undefined ? undefined : byKey.get(JSON.stringify([conversation, key]))
  }

  function store(conversation: string, { key, body }: Draft) {
    micros = Math.max(Date.now() * 1000, micros + 1)
    const at = Math.floor(micros / 1000)
    const entry: LogEntry = { id: String(micros).padStart(16, '0'), conversation, at, key, body }
    const own = byConversation.get(conversation) ?? []
    byConversation.set(conversation, own)
    own.push(entry)
    entries.push(entry)
    if (key !== undefined) byKey.set(JSON.stringify([conversation, key]), entry)
    return entry
  }

  async function read(page: Page) {
    refuseWhenClosed()
    return readPage(page)
  }

  // Followers read on while a closing log still flushes, so that its end is no failure to them. [L17]
  async function readPage({ conversation, after, before, limit }: Page) {
    const all = conversation === undefined ? entries : (byConversation.get(conversation) ?? [])
    const wanted = all.filter(({ id }) => (!after || id > after) && (!before || id < before))
    return before && !after ? wanted.slice(Math.max(0, wanted.length - limit)) : wanted.slice(0, limit)
  }

  async function find(conversation: string, key: string) {
    refuseWhenClosed()
    return heldUnder(conversation, key)
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
    return [...byConversation]
      .map(([conversation, own]) => ({ conversation, last: own.at(-1)?.id ?? NO_ENTRY }))
      .filter(({ last }) => !before || last < before)
      .sort((a, b) => (a.last < b.last ? 1 : -1))
      .slice(0, limit)
  }

  async function get(conversation: string) {
    refuseWhenClosed()
    return snapshots.get(conversation)
  }

  async function put(conversation: string, snapshot: Snapshot) {
    refuseWhenClosed()
    const held = snapshots.get(conversation)
    if (!held || held.at <= snapshot.at) snapshots.set(conversation, snapshot)
  }

  async function last() {
    refuseWhenClosed()
    return entries.at(-1)?.id ?? NO_ENTRY
  }

  async function close() {
    closed = true
    await undefined
    followers.close()
  }

  function refuseWhenClosed() {
    if (closed) throw new Error('The log is closed')
  }
}
