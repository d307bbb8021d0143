import { idBefore } from '../log/journal.ts'
import type { Views } from '../log/views.ts'
import { type Entry, isSettlement, type Message, type Receipt, type SettledEntry } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Conversation } from '../protocol/fold.ts'
import { bodies } from './decision.ts'
import type { Expected } from './expected.ts'
import { later } from './later.ts'
import type { Received } from './received.ts'
import type { Rooms } from './rooms.ts'

interface ReceivingParts {
  rooms: Pick<Rooms, 'state' | 'append'>
  views: Pick<Views, 'read' | 'find'>
  entry(id: string): Promise<Entry | undefined>
  /** The entries as they are to be read. */
  amended(entries: Entry[]): Promise<Entry[]>
  received: Pick<Received, 'handing'>
  expected: Pick<Expected, 'known'>
  carried: Pick<Expected, 'known'>
}

/** What is to be received, by what becomes of it. */
interface Asked {
  messages: string[]
  stops: string[]
  replies: SettledEntry[]
  /** Of the messages, those that count as received and still nobody has: others that came later were received first. */
  passed: Set<string>
}

// Whoever takes longer to read an answer has it.
const PATIENCE_MS = 5000
const PAGE = 500

/** What a driver takes for its agent: each message once, and no reply that its asker has. */
export function createReceiving({ rooms, views, entry, amended, received, expected, carried }: ReceivingParts) {
  /** By conversation, one after the other. */
  const turns = new Map<string, Promise<unknown>>()
  return { receive }

  /** Those that nobody had, in the order of the log. With the same key it is the same answer. */
  function receive(conversation: string, key: string, ids: string[]): Promise<string[]> {
    const before = turns.get(conversation) ?? Promise.resolve()
    // Its own caller gets the error; whoever comes next only waits for it.
    const turn = before.catch(() => {}).then(() => take(conversation, key, ids))
    turns.set(conversation, turn)
    const over = () => turns.get(conversation) === turn && turns.delete(conversation)
    turn.then(over, over)
    return turn
  }

  async function take(conversation: string, key: string, ids: string[]): Promise<string[]> {
    const said = await Promise.all([...new Set(ids)].map((id) => mustBeSaid(conversation, id)))
    // Of calls that began before somebody drove the agent. Who has it must be sure, however long that takes.
    if (!(await patiently(carried.known(conversation)))) throw new ParleyError('on_its_way')
    const known = await Promise.all(said.map(isKnown))
    const found = said.filter((_, n) => known[n])
    // What was delivered and is not noted yet is noted first.
    await rooms.append(conversation, () => [])
    const asked = await received.handing(
      conversation,
      () => sorted(conversation, found),
      ({ messages }) => messages.at(-1),
      true,
    )
    const [receipt] = await rooms.append(conversation, (state) => bodies(...receiptOf(state, asked)), { key })
    // Asked again, nothing is left to be received: the key leads to what was.
    return namedIn(receipt ?? ((await views.find(conversation, key)) as Entry | undefined))
  }

  async function mustBeSaid(conversation: string, id: string): Promise<Entry> {
    const found = await entry(id)
    const isThere = found?.conversation === conversation && (isReply(found) || isMessage(found))
    if (!found || !isThere) throw new ParleyError('unknown_message', { message: id })
    return found
  }

  /** Whether it is known that no call has it. */
  async function isKnown(said: Entry): Promise<boolean> {
    return !isSettlement(said) || (await patiently(expected.known(said.body.question)))
  }

  /** As they are now: what was taken back is nothing to receive. */
  async function sorted(conversation: string, found: Entry[]): Promise<Asked> {
    const said = (await amended(found)).sort((a, b) => (a.id < b.id ? -1 : 1))
    const messages = said.filter(isMessage).filter(({ body }) => body.revised !== 'taken_back')
    const ids = messages.filter(({ body }) => !body.interrupt).map(({ id }) => id)
    return {
      messages: ids,
      stops: messages.filter(({ body }) => body.interrupt).map(({ id }) => id),
      replies: said.filter(isSettlement),
      passed: await passedOver(conversation, ids),
    }
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
function takeOut(passed: Set<string>, { messages, messages_to }: Receipt) {
  for (const id of passed) if (messages ? messages.includes(id) : id <= later(messages_to)) passed.delete(id)
}

/** Read, because nothing is between the driver and its agent that could lose it. */
function receiptOf(state: Conversation, { messages, stops, replies, passed }: Asked): Receipt[] {
  const isUnread = (id: string) => id > state.messages.delivered || passed.has(id)
  const taken = messages.filter(isUnread)
  const heard = stops.filter((id) => id > later(state.stop?.delivered))
  const read = replies.filter(({ id }) => isReplyUnread(state, id)).map(({ id }) => id)
  const names = [...taken, ...heard, ...read].sort()
  if (names.length === 0) return []
  return [
    {
      kind: 'receipt',
      state: 'read',
      messages: names,
      ...(taken.length > 0 && { messages_to: taken.at(-1) }),
      ...(read.length > 0 && { replies: read }),
      ...(heard.length > 0 && { stop: heard.at(-1) }),
    },
  ]
}

function isReplyUnread({ replies: { recent, older } }: Conversation, settlement: string): boolean {
  if (older && settlement >= older.from && settlement <= older.to) return true
  return recent.some((reply) => reply.settlement === settlement && !reply.delivered)
}

function namedIn(receipt: Entry | undefined): string[] {
  if (!receipt) return []
  if (receipt.body.kind !== 'receipt')
    throw new ParleyError('invalid', { problem: '"key" was used for something else' })
  return receipt.body.messages ?? []
}

function isMessage(entry: Entry): entry is Entry & { body: Message } {
  return entry.body.kind === 'message' && entry.body.author === 'user'
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
