import { createFollowers } from '../../src/log/followers.ts'
import {
  Conflict,
  type Draft,
  type Journal,
  type LogEntry,
  type NamesIn,
  NO_ENTRY,
  type ReadBody,
} from '../../src/log/journal.ts'
import { createNoteFollowers } from '../../src/log/note-followers.ts'
import { NO_NOTE, type Note, type Notes } from '../../src/log/notes.ts'
import { forgiving, storableName, toText, toTexts } from '../../src/log/stored-text.ts'
import { type Entries, type Log, type Page, roomInPage, type Snapshot } from '../../src/log/views.ts'

type KeptSnapshot = Snapshot & { state: string }

/** For tests: keeps every promise of a log except that it outlives the process. */
export function openMemoryLog({
  readBody = JSON.parse,
  appendsReadable = false,
  namesIn = () => [],
}: {
  readBody?: ReadBody
  appendsReadable?: boolean
  namesIn?: NamesIn
} = {}): Log {
  const bodyIn = appendsReadable ? (text: string) => JSON.parse(text) : forgiving(readBody, (text) => text)
  let entries: LogEntry[] = []
  const byConversation = new Map<string, LogEntry[]>()
  const byKey = new Map<string, LogEntry>()
  const snapshots = new Map<string, KeptSnapshot>()
  const notes = memoryNotes(refuseWhenClosed)
  const followers = createFollowers(readPage)
  let micros = 0
  let forgotten = NO_ENTRY
  let closed = false

  return {
    append,
    forget,
    erased: async () => {},
    read,
    find,
    forgottenTo: async () => forgotten,
    named,
    follow,
    signal,
    conversations,
    snapshots: { get, put },
    notes: notes.port,
    last,
    close,
  }

  async function append(conversation: string, expectedLast: string, drafts: Draft[]) {
    refuseWhenClosed()
    const texts = toTexts(conversation, drafts)
    // A follower may append while a commit is announced to it; that one must be announced after this one.
    await undefined
    const held = drafts.map(({ key }) => heldUnder(conversation, key))
    if (held.every((entry) => entry !== undefined)) return held
    mustEndAt(conversation, expectedLast)

    const start = entries.length
    const at = Date.now()
    const answer = texts.map(([key, body]) => heldUnder(conversation, key) ?? store(conversation, at, key, body))
    followers.announce(entries.slice(start))
    return answer
  }

  async function forget(conversation: string, expectedLast: string, traces: string[] = []) {
    refuseWhenClosed()
    await undefined
    mustEndAt(conversation, expectedLast)
    if (!byConversation.delete(conversation)) return
    forgotten = idOf(micros)
    entries = entries.filter((entry) => entry.conversation !== conversation)
    for (const [key, entry] of byKey) if (entry.conversation === conversation) byKey.delete(key)
    snapshots.delete(conversation)
    followers.forget(conversation)
    notes.drop(traces)
  }

  function mustEndAt(conversation: string, expectedLast: string) {
    const newest = byConversation.get(conversation)?.at(-1)?.id ?? NO_ENTRY
    if (newest !== expectedLast) throw new Conflict(`${conversation} ends at ${newest}, not at ${expectedLast}`)
  }

  function heldUnder(conversation: string, key: string | undefined) {
    return key === undefined ? undefined : byKey.get(JSON.stringify([conversation, key]))
  }

  function store(conversation: string, at: number, key: string | undefined, body: string) {
    micros = Math.max(at * 1000, micros + 1)
    const id = idOf(micros)
    const entry: LogEntry = { id, conversation, at, key, body: bodyIn(body) }
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
  async function readPage({ conversation, after, before, limit }: Page): Promise<Entries> {
    const all = conversation === undefined ? entries : (byConversation.get(conversation) ?? [])
    const wanted = all.filter(({ id }) => (!after || id > after) && (!before || id < before))
    const newest = before && !after
    const page = newest ? wanted.slice(Math.max(0, wanted.length - limit)).reverse() : wanted.slice(0, limit)
    const fits = roomInPage()
    const end = page.findIndex(({ body }) => !fits(toText(body)))
    const brought: Entries = end < 0 ? page : Object.assign(page.slice(0, end), { full: true } as const)
    return newest ? brought.reverse() : brought
  }

  async function named(names: string[], conversation?: string) {
    refuseWhenClosed()
    const looked = conversation === undefined ? entries : (byConversation.get(conversation) ?? [])
    const known = new Set(looked.flatMap(({ body }) => namesIn(body)))
    return names.filter((name) => known.has(name))
  }

  async function find(conversation: string, key: string) {
    refuseWhenClosed()
    return heldUnder(conversation, key)
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
    return [...byConversation]
      .map(([conversation, own]) => ({ conversation, last: own.at(-1)?.id ?? NO_ENTRY }))
      .filter(({ last }) => !before || last < before)
      .sort((a, b) => (a.last < b.last ? 1 : -1))
      .slice(0, limit)
  }

  async function get(name: string, format: number) {
    refuseWhenClosed()
    const held = snapshots.get(name)
    return held?.format === format ? { ...held, state: JSON.parse(held.state) } : undefined
  }

  async function put(name: string, snapshot: Snapshot) {
    refuseWhenClosed()
    const kept = { ...snapshot, state: toText(snapshot.state) }
    const held = snapshots.get(name)
    if (!held || replaces(kept, held)) snapshots.set(name, kept)
  }

  async function last() {
    refuseWhenClosed()
    return entries.at(-1)?.id ?? NO_ENTRY
  }

  async function close() {
    closed = true
    await undefined
    followers.close()
    notes.close()
  }

  function refuseWhenClosed() {
    if (closed) throw new Error('The log is closed')
  }
}

function memoryNotes(refuseWhenClosed: () => void) {
  const kept = new Map<string, { value: string; revision: number }>()
  const followers = createNoteFollowers(async (beginning) =>
    [...kept.keys()]
      .filter((name) => name.startsWith(beginning))
      .sort()
      .map((name) => noteOf(name) as Note),
  )
  let revisions = NO_NOTE
  const port: Notes = { get, put, follow, forget }
  return { port, drop, close: followers.close }

  async function get(name: string) {
    refuseWhenClosed()
    return noteOf(name)
  }

  async function put(name: string, value: unknown, expected: number) {
    refuseWhenClosed()
    const text = toText(value)
    storableName(name)
    await undefined
    if ((kept.get(name)?.revision ?? NO_NOTE) !== expected) throw new Conflict(`The note ${name} has changed`)
    const revision = ++revisions
    kept.set(name, { value: text, revision })
    followers.announce(noteOf(name) as Note)
    return revision
  }

  function follow(...following: Parameters<Notes['follow']>) {
    refuseWhenClosed()
    return followers.follow(...following)
  }

  async function forget(beginnings: string[]) {
    refuseWhenClosed()
    await undefined
    drop(beginnings)
  }

  function drop(beginnings: string[]) {
    for (const name of [...kept.keys()]) {
      if (!beginnings.some((beginning) => name.startsWith(beginning))) continue
      kept.delete(name)
      followers.forget(name)
    }
  }

  function noteOf(name: string): Note | undefined {
    const note = kept.get(name)
    return note && { name, value: JSON.parse(note.value), revision: note.revision }
  }
}

function idOf(micros: number): string {
  return String(micros).padStart(16, '0')
}

function replaces(snapshot: KeptSnapshot, held: KeptSnapshot) {
  return snapshot.format > held.format || (snapshot.format === held.format && snapshot.at >= held.at)
}
