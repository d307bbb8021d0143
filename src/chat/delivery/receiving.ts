import { ifError } from '../../io/if-error.ts'
import { createQueues } from '../../io/queues.ts'
import { idBefore } from '../../log/journal.ts'
import type { Views } from '../../log/views.ts'
import { type Entry, isSettlement, type Receipt, type SettledEntry } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import { later } from '../../protocol/entries/later.ts'
import { changeInWords, revisedBy } from '../../protocol/entries/revision.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { bodies, type Decide, Overtaken } from '../conversation/decision.ts'
import type { Rooms } from '../conversation/rooms.ts'
import type { Held } from '../driving/leases.ts'
import type { Fencing } from '../hubs/fencing.ts'
import type { Revised } from '../people/revising.ts'
import { pagesAfter } from '../reading/pages-after.ts'
import type { Ledger } from './ledger.ts'
import { isOfCall, isOfPerson, isStop } from './undelivered.ts'

interface ReceivingParts {
  rooms: Pick<Rooms, 'state' | 'append'>
  fencing: Fencing
  views: Pick<Views, 'read' | 'find'>
  entry(id: string): Promise<Entry | undefined>
  /** Those of a message or after one of them, newest first. */
  revisions(said: Entry, upTo: string): Promise<Revised[]>
  ledger: Pick<Ledger, 'onceKnown'>
  /** Whether what became of a call is still to be told to who drives. */
  isOwed(call: string): boolean
}

/** The messages given to an agent, and the words for those that are not given as they were said. */
interface ReceivedWords {
  received: string[]
  revised?: RevisedWords[]
}

interface RevisedWords {
  id: string
  text: string
  /** It tells of a change: of which message, and what that says now, if it was not taken back. */
  changes?: { message: string; text?: string }
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

/** The messages to receive, by what becomes of them. */
interface Asked {
  words: Words[]
  stops: string[]
  replies: SettledEntry[]
  /** Messages that count as received although nobody has them yet: others that came later were received first. */
  passed: Set<string>
  /** Up to where this is so. */
  known: Pick<ConversationState, 'last' | 'messages'>
}

// A client that takes longer to read its answer counts as having it.
export const PATIENCE_MS = 5000

/** Takes messages for a driver's agent: each message once, and no reply that its asker has. */
export function createReceiving({ rooms, fencing, views, entry, revisions, ledger, isOwed }: ReceivingParts) {
  /** One queue for each conversation. */
  const turns = createQueues()
  return { receive }

  /** Those that nobody had, in the order of the log. With the same key it is the same answer. */
  function receive(lease: Held, key: string, ids: string[]): Promise<ReceivedWords> {
    return turns.add(lease.conversation, () => take(lease, key, ids))
  }

  async function take(lease: Held, key: string, ids: string[]): Promise<ReceivedWords> {
    const { conversation } = lease
    const said = await Promise.all([...new Set(ids)].map((id) => mustBeSaid(conversation, id)))
    // Calls that began before somebody drove the agent may have messages in hand: who has them must be certain.
    if (!(await patiently(ledger.onceKnown({ conversation })))) throw new ParleyError('on_its_way')
    const known = await Promise.all(said.map(isKnown))
    const found = said.filter((_, n) => known[n])
    // Deliveries that are not noted yet are noted first.
    await rooms.append(conversation, () => [])
    for (;;) {
      const asked = await sorted(conversation, found)
      const decide: Decide = (state) => bodies(...receiptOf(state, asked))
      const appending = fencing.under(lease).append(conversation, decide, { key })
      const receipts = await appending.catch(ifError(Overtaken, () => undefined))
      if (!receipts) continue
      // A repeated call finds nothing left to receive: its key leads to what it received.
      return wordsIn(receipts[0] ?? ((await views.find(conversation, key)) as Entry | undefined), ids, entry)
    }
  }

  async function mustBeSaid(conversation: string, id: string): Promise<Entry> {
    const found = await entry(id)
    const isThere = found?.conversation === conversation && (isReply(found) || isOfPerson(found))
    if (!found || !isThere) throw new ParleyError('unknown_message', { message: id })
    return found
  }

  /** Whether it is known that no call has it. */
  async function isKnown(said: Entry): Promise<boolean> {
    return !isSettlement(said) || (await patiently(ledger.onceKnown({ question: said.body.question })))
  }

  async function sorted(conversation: string, found: Entry[]): Promise<Asked> {
    const said = found.filter(isNews).sort((a, b) => (a.id < b.id ? -1 : 1))
    const known = await rooms.state(conversation)
    const words = await Promise.all(said.filter(isWords).map((one) => asItIsNow(one, known.last)))
    return {
      known,
      words,
      stops: said.filter(isStop).map(({ id }) => id),
      replies: said.filter(isSettlement),
      passed: await passedOver(
        known,
        [...new Set(words.flatMap(({ id, message }) => [message, id]))].sort(),
        said.filter(isOfCall).map(({ id }) => id),
      ),
    }
  }

  async function asItIsNow(said: Entry, upTo: string): Promise<Words> {
    const newer = await revisions(said, upTo)
    const { body } = newer[0] ?? said
    const isGone = body.kind === 'revision' && body.text === undefined
    return { id: said.id, message: revisedBy(said), newer: newer.map(({ id }) => id), isGone }
  }

  /** The result of a call may have been brought by the call itself, made again, or be for another agent. */
  function isNews({ body }: Entry): boolean {
    return body.kind !== 'message' || body.call_id === undefined || isOwed(body.call_id)
  }

  async function passedOver(
    { id: conversation, messages }: ConversationState,
    ids: string[],
    results: string[],
  ): Promise<Set<string>> {
    const passed = new Set(ids.filter((id) => id <= messages.delivered))
    const [first] = passed
    if (first === undefined) return passed
    for await (const page of pagesAfter(views, { conversation, after: idBefore(first) })) {
      for (const { body } of page) if (body.kind === 'receipt') takeOut(passed, body, results)
      if (passed.size === 0) break
    }
    return passed
  }
}

/** Drivers name what they received, and everybody the results of calls; other receipts are of all up to a message. */
function takeOut(passed: Set<string>, { asker, messages, messages_to, ahead = [] }: Receipt, results: string[]) {
  const upTo = messages && asker === undefined ? undefined : messages_to
  for (const id of passed)
    if ([...ahead, ...(messages ?? [])].includes(id) || (!results.includes(id) && id <= later(upTo))) passed.delete(id)
}

/** Received is read: nothing is between the driver and its agent that could lose it. */
function receiptOf(state: ConversationState, asked: Asked): Receipt[] {
  if (isOvertaken(state, asked)) throw new Overtaken()
  const { words, stops, replies, passed } = asked
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
      stop: heard.at(-1),
    },
  ]
}

/** Others may have received some of it at another hub: later ones, or those that were passed over. */
function isOvertaken({ last, messages }: ConversationState, { known, passed }: Asked): boolean {
  return messages.delivered !== known.messages.delivered || (passed.size > 0 && last !== known.last)
}

function isReplyUnread({ replies: { recent, older } }: ConversationState, settlement: string): boolean {
  if (older && settlement >= older.from && settlement <= older.to) return true
  return recent.some((reply) => reply.settlement === settlement && !reply.delivered)
}

/** Revisions of an older Parley were received by nobody before, and come with their message. */
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

/** The words follow the receipt, and so are the same however often they are asked for and whatever is said later. */
async function wordsIn(
  receipt: Entry | undefined,
  asked: string[],
  entry: (id: string) => Promise<Entry | undefined>,
): Promise<ReceivedWords> {
  if (!receipt) return { received: [] }
  if (receipt.body.kind !== 'receipt')
    throw new ParleyError('invalid', { problem: '"key" was used for something else' })
  const { messages = [], ahead = [] } = receipt.body
  const received = messages.filter((id) => asked.includes(id))
  const found = await Promise.all([...received, ...ahead].map(entry))
  const all = found.filter((one) => one !== undefined)
  const revised = received.flatMap((id) => wordsOf(id, all, receipt.body as Receipt) ?? [])
  return { received, ...(revised.length > 0 && { revised }) }
}

function wordsOf(id: string, all: Entry[], { messages = [] }: Receipt): RevisedWords | undefined {
  const said = all.find((one) => one.id === id)
  if (!said) return undefined
  const message = revisedBy(said)
  const newest = all.findLast((one) => one.body.kind === 'revision' && one.body.message === message)
  if (newest?.body.kind !== 'revision') return undefined
  const { text } = newest.body
  if (said.body.kind !== 'revision' || messages.includes(message)) return { id, text: text ?? '' }
  return { id, text: changeInWords(said.body, newest.body), changes: { message, ...(text !== undefined && { text }) } }
}
