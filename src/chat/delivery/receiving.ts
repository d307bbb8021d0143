import { idBefore } from '../../log/journal.ts'
import type { Views } from '../../log/views.ts'
import { type Entry, isSettlement, type Receipt, type SettledEntry } from '../../protocol/entries/entry.ts'
import type { Conversation } from '../../protocol/entries/fold.ts'
import { later } from '../../protocol/entries/later.ts'
import { revisedBy } from '../../protocol/entries/revision.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { bodies } from '../conversation/decision.ts'
import type { Rooms } from '../conversation/rooms.ts'
import type { Revised } from '../people/revising.ts'
import type { Expected } from './expected.ts'
import { type ReceivedWords, wordsIn } from './received-words.ts'

interface ReceivingParts {
  rooms: Pick<Rooms, 'state' | 'append'>
  views: Pick<Views, 'read' | 'find'>
  entry(id: string): Promise<Entry | undefined>
  /** Those of a message or after one of them, newest first. */
  revisions(said: Entry, upTo: string): Promise<Revised[]>
  expected: Pick<Expected, 'known'>
  carried: Pick<Expected, 'known'>
  /** Whether what became of a call is still to be told to who drives. */
  isOwed(call: string): boolean
}

/** A message, or a change of one. */
interface Words {
  id: string
  /** The message itself. */
  message: string
  /** Revisions whose words come with it. */
  newer: string[]
  /** Nothing is left to be said of it to who never had it. */
  isGone: boolean
}

/** What is to be received, by what becomes of it. */
interface Asked {
  words: Words[]
  stops: string[]
  replies: SettledEntry[]
  /** Of the words, those that count as received and still nobody has: others that came later were received first. */
  passed: Set<string>
}

// Whoever takes longer to read an answer has it.
const PATIENCE_MS = 5000
const PAGE = 256

/** What a driver takes for its agent: each message once, and no reply that its asker has. */
export function createReceiving({ rooms, views, entry, revisions, expected, carried, isOwed }: ReceivingParts) {
  /** By conversation, one after the other. */
  const turns = new Map<string, Promise<unknown>>()
  return { receive }

  /** Those that nobody had, in the order of the log. With the same key it is the same answer. */
  function receive(conversation: string, key: string, ids: string[]): Promise<ReceivedWords> {
    const before = turns.get(conversation) ?? Promise.resolve()
    // Its own caller gets the error; whoever comes next only waits for it.
    const turn = before.catch(() => {}).then(() => take(conversation, key, ids))
    turns.set(conversation, turn)
    const over = () => turns.get(conversation) === turn && turns.delete(conversation)
    turn.then(over, over)
    return turn
  }

  async function take(conversation: string, key: string, ids: string[]): Promise<ReceivedWords> {
    const said = await Promise.all([...new Set(ids)].map((id) => mustBeSaid(conversation, id)))
    // Of calls that began before somebody drove the agent. Who has it must be sure, however long that takes.
    if (!(await patiently(carried.known(conversation)))) throw new ParleyError('on_its_way')
    const known = await Promise.all(said.map(isKnown))
    const found = said.filter((_, n) => known[n])
    // What was delivered and is not noted yet is noted first.
    await rooms.append(conversation, () => [])
    const asked = await sorted(conversation, found)
    const [receipt] = await rooms.append(conversation, (state) => bodies(...receiptOf(state, asked)), { key })
    // Asked again, nothing is left to be received: the key leads to what was.
    return wordsIn(receipt ?? ((await views.find(conversation, key)) as Entry | undefined), ids, entry)
  }

  async function mustBeSaid(conversation: string, id: string): Promise<Entry> {
    const found = await entry(id)
    const isThere = found?.conversation === conversation && (isReply(found) || isOfPerson(found))
    if (!found || !isThere) throw new ParleyError('unknown_message', { message: id })
    return found
  }

  /** Whether it is known that no call has it. */
  async function isKnown(said: Entry): Promise<boolean> {
    return !isSettlement(said) || (await patiently(expected.known(said.body.question)))
  }

  async function sorted(conversation: string, found: Entry[]): Promise<Asked> {
    const said = found.filter(isNews).sort((a, b) => (a.id < b.id ? -1 : 1))
    const { last } = await rooms.state(conversation)
    const words = await Promise.all(said.filter(isWords).map((one) => asItIsNow(one, last)))
    return {
      words,
      stops: said.filter(isStop).map(({ id }) => id),
      replies: said.filter(isSettlement),
      passed: await passedOver(conversation, [...new Set(words.flatMap(({ id, message }) => [message, id]))].sort()),
    }
  }

  async function asItIsNow(said: Entry, upTo: string): Promise<Words> {
    const newer = await revisions(said, upTo)
    const { body } = newer[0] ?? said
    const isGone = body.kind === 'revision' && body.text === undefined
    return { id: said.id, message: revisedBy(said), newer: newer.map(({ id }) => id), isGone }
  }

  /** What became of a call may have been brought by the call itself, made again, or be for another agent. */
  function isNews({ body }: Entry): boolean {
    return body.kind !== 'message' || body.call_id === undefined || isOwed(body.call_id)
  }

  async function passedOver(conversation: string, ids: string[]): Promise<Set<string>> {
    const { messages } = await rooms.state(conversation)
    const passed = new Set(ids.filter((id) => id <= messages.delivered))
    for (let after = idBefore([...passed][0] ?? messages.delivered); passed.size > 0; ) {
      const page = (await views.read({ conversation, after, limit: PAGE })) as Entry[]
      for (const { body } of page) if (body.kind === 'receipt') takeOut(passed, body)
      if (page.length === 0) break
      after = page.at(-1)?.id ?? after
    }
    return passed
  }
}

/** Who drives says by name what it received; from any other it is everything up to a message. */
function takeOut(passed: Set<string>, { messages, messages_to, ahead = [] }: Receipt) {
  for (const id of passed)
    if (ahead.includes(id) || (messages ? messages.includes(id) : id <= later(messages_to))) passed.delete(id)
}

/** Read, because nothing is between the driver and its agent that could lose it. */
function receiptOf(state: Conversation, { words, stops, replies, passed }: Asked): Receipt[] {
  const told = new Set(state.messages.ahead?.map(({ id }) => id))
  const isUnread = (id: string) => (id > state.messages.delivered || passed.has(id)) && !told.has(id)
  const taken: string[] = []
  const ahead: string[] = []
  for (const { id, message, newer, isGone } of words) {
    if (!isUnread(id)) continue
    // A change of what nobody has is the message itself, in its newest words.
    const isNew = isUnread(message)
    const names = isNew && isGone ? [] : isNew && message !== id ? [message, id] : [id]
    taken.push(...names)
    const revisions = names.length > 0 || id === message ? newer : [...newer, id]
    ahead.push(...revisions.filter((revision) => !told.has(revision)))
    for (const name of [message, id, ...newer]) told.add(name)
  }
  const heard = stops.filter((id) => id > later(state.stop?.delivered))
  const read = replies.filter(({ id }) => isReplyUnread(state, id)).map(({ id }) => id)
  const names = [...taken, ...heard, ...read].sort()
  if (names.length === 0 && ahead.length === 0) return []
  return [
    {
      kind: 'receipt',
      state: 'read',
      messages: names,
      ...(taken.length > 0 && { messages_to: later(...taken) }),
      ...(ahead.length > 0 && { ahead: ahead.sort() }),
      ...(read.length > 0 && { replies: read }),
      ...(heard.length > 0 && { stop: heard.at(-1) }),
    },
  ]
}

function isReplyUnread({ replies: { recent, older } }: Conversation, settlement: string): boolean {
  if (older && settlement >= older.from && settlement <= older.to) return true
  return recent.some((reply) => reply.settlement === settlement && !reply.delivered)
}

function isOfPerson({ body }: Entry): boolean {
  return body.kind === 'revision' || (body.kind === 'message' && body.author === 'user')
}

function isStop({ body }: Entry): boolean {
  return body.kind === 'message' && body.interrupt === true
}

/** What an older Parley revised was received by nobody before, and comes with its message. */
function isWords(entry: Entry): boolean {
  if (entry.body.kind === 'revision') return entry.body.was !== undefined
  return isOfPerson(entry) && !isStop(entry)
}

function isReply(entry: Entry): boolean {
  return isSettlement(entry) && entry.body.reply !== undefined
}

async function patiently(known: Promise<void>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(late.resolve, PATIENCE_MS, false)
  const isKnown = await Promise.race([known.then(() => true), late.promise])
  clearTimeout(timer)
  return isKnown
}
