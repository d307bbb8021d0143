import { attempt } from '../io/attempt.ts'
import { type Follower, type Following, type LogEntry, NO_ENTRY } from './journal.ts'
import type { Entries, Page } from './views.ts'

const REPLAY_PAGE = 256

type From = { conversation?: string; after: string }
type Reader = ReturnType<typeof openReader>

/**
 * Replay-then-follow for every engine. The engine announces each commit, in commit order, before any read
 * that can see it has come back; then no follower misses an entry or gets one twice. [L10]
 */
export function createFollowers(read: (page: Page) => Promise<Entries>) {
  const ofAll = new Set<Reader>()
  const ofOne = new Map<string, Set<Reader>>()

  return { follow, announce, forget, signal, fail, close }

  function follow(from: From, follower: Follower): Following {
    const peers = peersOf(from.conversation)
    const reader = openReader(from, follower, read, () => {
      peers.delete(reader)
      if (peers.size === 0 && from.conversation !== undefined) ofOne.delete(from.conversation)
    })
    peers.add(reader)
    return { close: reader.close }
  }

  function peersOf(conversation: string | undefined) {
    if (conversation === undefined) return ofAll
    const peers = ofOne.get(conversation) ?? new Set()
    ofOne.set(conversation, peers)
    return peers
  }

  /** The new entries of one commit. */
  function announce(entries: LogEntry[]) {
    for (const reader of [...ofAll]) reader.announce(entries)
    if (ofOne.size === 0) return
    for (const [conversation, own] of Map.groupBy(entries, (entry) => entry.conversation)) {
      for (const reader of [...(ofOne.get(conversation) ?? [])]) reader.announce(own)
    }
  }

  /** Followers hear of it in the order of the commits, as of entries. */
  function forget(conversation: string) {
    for (const reader of readersOf(conversation)) reader.forget(conversation)
  }

  function signal(conversation: string, signal: unknown) {
    for (const reader of readersOf(conversation)) reader.signal(conversation, signal)
  }

  function readersOf(conversation: string) {
    return [...ofAll, ...(ofOne.get(conversation) ?? [])]
  }

  function fail(error: unknown) {
    for (const reader of everyone()) reader.fail(error)
  }

  function close() {
    for (const reader of everyone()) reader.close()
  }

  function everyone() {
    return [...ofAll, ...[...ofOne.values()].flatMap((peers) => [...peers])]
  }
}

function openReader(from: From, follower: Follower, read: (page: Page) => Promise<Entries>, closed: () => void) {
  let cursor = from.after
  let announced = NO_ENTRY
  let reachedEnd = false
  let live = false
  let open = true
  let forgettings = 0

  catchUp()
  return { announce, forget, signal, fail, close }

  function announce(entries: LogEntry[]) {
    announced = lastId(entries)
    if (!open || !live || announced <= cursor) return
    // Only a follower that asked for ids of the future can have its cursor inside this commit.
    const news = entries[0] && entries[0].id > cursor ? entries : entries.filter((entry) => entry.id > cursor)
    // A crowd is told one by one: nothing is made for each of them.
    try {
      const busy = hand(news)
      if (busy) catchUp(busy)
    } catch (error) {
      fail(error)
    }
  }

  /** Reads on from the cursor until it has passed all that was announced, and goes live in that same tick. */
  async function catchUp(busy?: Promise<void>) {
    live = false
    try {
      await busy
      while (open && !(reachedEnd && announced <= cursor)) {
        const known = forgettings
        const page = await read({ ...from, after: cursor, limit: REPLAY_PAGE })
        // Some of it may be forgotten by now, and was told to be.
        if (known !== forgettings) continue
        reachedEnd = page.length < REPLAY_PAGE && !page.full
        if (open && page.length > 0) await hand(page)
      }
      live = true
    } catch (error) {
      fail(error)
    }
  }

  function hand(entries: LogEntry[]) {
    cursor = lastId(entries)
    return follower.entries(entries)
  }

  function forget(conversation: string) {
    forgettings++
    tell(() => follower.forgotten?.(conversation))
  }

  function signal(conversation: string, signal: unknown) {
    tell(() => follower.signal?.(conversation, signal))
  }

  function tell(work: () => void) {
    if (!open) return
    attempt(work, fail)
  }

  // A follower that throws ends alone: the other followers and the append being announced go on. When it throws over
  // that too, nobody is left to be told, and it is thrown where it stops none of them.
  function fail(error: unknown) {
    if (!open) return
    close()
    try {
      follower.failed(error)
    } catch (fault) {
      queueMicrotask(() => {
        throw fault
      })
    }
  }

  function close() {
    if (!open) return
    open = false
    closed()
  }
}

function lastId(entries: LogEntry[]) {
  return entries.at(-1)?.id ?? NO_ENTRY
}
