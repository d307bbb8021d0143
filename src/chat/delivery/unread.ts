import type { Views } from '../../log/views.ts'
import { type Agent, agentIn } from '../../protocol/entries/agent.ts'
import type { UnreadReply } from '../../protocol/entries/conversation.ts'
import type { Entry, SettledEntry } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import { later } from '../../protocol/entries/later.ts'
import { changeInWords, revised } from '../../protocol/entries/revision.ts'
import { NAMED_STOPS, unheardOf } from '../../protocol/entries/stops.ts'
import type { CallLedger, OwedCall } from '../approvals/call-ledger.ts'
import type { Revised } from '../people/revising.ts'
import { pagesAfter } from '../reading/pages-after.ts'
import { createBudget } from './budget.ts'
import { createLateReplies, type LateReplies } from './late-replies.ts'
import { type Contents, type Given, isOfCall, isOfPerson, isStop, type Undelivered } from './undelivered.ts'
import type { Visits } from './visits.ts'

export interface UnreadOptions {
  /** The agent's own name, where that is known. */
  agent?: string
  /** There is room for the words of a stop, and for nothing else. */
  alone?: boolean
  /** The settlement of the call's own question, when it was withdrawn: the stop that did it is for this call too. */
  withdrawn?: SettledEntry
  /** The stops for which the call was refused. */
  stops?: string[]
}

/** The messages that wait for the agent of a conversation, as many as one answer should hold. */
export interface Unread {
  contents: Contents
  earlier: Undelivered[]
  /** The words of a stop: what the person wants instead. */
  interrupted?: string
}

export type Owed = Pick<CallLedger, 'get' | 'lateResults'>

type Reply = Pick<UnreadReply, 'question' | 'settlement'>

interface UnreadParts {
  views: Pick<Views, 'read'>
  /** The stop that withdrew a question, by its settlement. */
  stopBehind(settlement: SettledEntry): Promise<{ id: string } | undefined>
  /** Those of a message or after one of them, newest first. */
  revisions(said: Entry, upTo: string): Promise<Revised[]>
  /** How the entry begins that a message answers. */
  beginning(message: Entry): Promise<string | undefined>
  entry(id: string): Promise<Entry | undefined>
  /** A live call waits for it: its reply is that call's, and nobody's earlier message. */
  isAwaited(question: string): boolean
  /** Another answer brings this message about a call. */
  isCarried(message: string): boolean
  /** The calls of mounted tools whose callers have not been told yet what became of them. */
  owed(): Owed
  visits: Pick<Visits, 'isFor'>
}

/** Reads what the person said and nobody has proven to have, oldest first. */
export function createUnread(parts: UnreadParts) {
  const { views, stopBehind, revisions, beginning, entry, isAwaited, isCarried, owed, visits } = parts
  return { of, stop }

  /**
   * The unread messages of one agent of a principal: messages of people are for all of them, replies are for whoever
   * asked.
   */
  function of(whose: Agent) {
    const replies = createLateReplies({ views, entry, isTaken, whose, visits })
    const of = { whose, replies }
    return {
      take: (state: ConversationState, given: Given, wanted: UnreadOptions) =>
        isNothing(state, given) ? NOTHING : take(state, given, wanted, of),
    }
  }

  /** Most calls find that nobody said anything but the reply they waited for, which the state tells. */
  function isNothing({ id, stop, replies, messages }: ConversationState, given: Given): boolean {
    if (stop || replies.older || !replies.recent.every((reply) => isTaken(reply, given))) return false
    return messages.last <= later(given.messages_to, messages.read) && owed().lateResults(id).length === 0
  }

  /** A call waits for the reply or has it: it is that call's. */
  function isTaken({ question, settlement }: Reply, given: Given): boolean {
    return isAwaited(question) || given.replies.includes(settlement)
  }

  async function take(
    state: ConversationState,
    given: Given,
    { alone, agent, ...wanted }: UnreadOptions,
    { whose, replies: lateReplies }: { whose: Agent; replies: LateReplies },
  ): Promise<Unread> {
    const stops = await stopsFor(state, given, wanted)
    const told = stops.map(({ id }) => id)
    const heard = later(given.heard, state.stop?.read)
    const replies = alone ? none() : await lateReplies(state, given, agent)
    const messages =
      alone || given.busy
        ? none()
        : await messagesAfter(
            state,
            given,
            { ...whose, agent },
            {
              isHeard: (stop) => stop <= heard || told.includes(stop),
              isOnItsWay: (stop) => stop > heard && stop <= later(given.stop) && !told.includes(stop),
            },
          )
    return {
      contents: { ...messages.contents, ...replies.contents, stop: told.at(-1) },
      earlier: [...replies.said, ...messages.said].sort((a, b) => (a.id < b.id ? -1 : 1)),
      interrupted: wordsOf(stops),
    }
  }

  /** The stops that were not heard in a conversation whose agent somebody drives, and nothing else. */
  async function stop(state: ConversationState, wanted: UnreadOptions): Promise<Unread> {
    const stops = await stopsFor(state, { replies: [] }, wanted)
    return { contents: { replies: [] }, earlier: [], interrupted: wordsOf(stops) }
  }

  /** All that have not arrived, where one of them is on no way yet or this call ends because of one; oldest first. */
  async function stopsFor(state: ConversationState, given: Given, { withdrawn, stops = [] }: UnreadOptions) {
    const { stop } = state
    if (!stop) return []
    const behind = withdrawn === undefined ? undefined : await stopBehind(withdrawn)
    const own = [...stops, ...(behind ? [behind.id] : [])]
    const isNew = stop.last > later(given.stop, stop.read)
    const unheard = isNew || own.length > 0 ? await unheardAfter(later(given.heard, stop.read), state) : []
    const found = await Promise.all([...new Set([...own, ...unheard])].sort().map(entry))
    return found.flatMap((one) => (one?.body.kind === 'message' ? { id: one.id, text: one.body.text } : []))
  }

  /** The answer that brings the last of them proves all that came before: none may be left out. */
  async function unheardAfter(heard: string, { id, stop }: ConversationState): Promise<string[]> {
    const named = stop ? unheardOf(stop).filter((one) => one > heard) : []
    if (named.length < NAMED_STOPS) return named
    const unnamed: string[] = []
    for await (const page of pagesAfter(views, { conversation: id, after: heard, to: named[0] }))
      unnamed.push(...page.filter(isStop).map((one) => one.id))
    return [...unnamed, ...named]
  }

  async function messagesAfter(state: ConversationState, given: Given, agent: Agent, { isHeard, isOnItsWay }: Stops) {
    const { id } = state
    const budget = createBudget()
    const said: Undelivered[] = []
    /** Those that tell of calls, by name: they may have been for another visit. */
    const messages: string[] = []
    let messages_to: string | undefined
    const read = later(given.messages_to, state.messages.read)
    // Another agent may have read past what was for this one.
    const passed = owed()
      .lateResults(id)
      .filter(({ call }) => isFor(call, id, agent))
      .map(({ message }) => message)
      .filter((message) => message <= read && message > later(given.messages_to) && !isCarried(message))
    for (const found of await Promise.all(passed.map(entry))) {
      const message = found && messageIn(found, isHeard)
      if (message) said.push(message)
      if (message) messages.push(message.id)
      messages_to = later(messages_to, found?.id)
    }
    const told = new Set([...(given.ahead ?? []), ...readAhead(state.messages)])
    const ahead: string[] = []
    const contents = () => {
      const further = ahead.filter((revision) => revision > later(messages_to))
      return {
        messages_to,
        ...(messages.length > 0 && { messages }),
        ...(further.length > 0 && { ahead: further }),
      }
    }
    for await (const page of pagesAfter(views, { conversation: id, after: read, to: state.messages.last })) {
      const upTo = page.at(-1)?.id ?? read
      for (const entry of page) {
        if (!isOfPerson(entry)) continue
        if (isStop(entry) && isOnItsWay(entry.id)) return { said, contents: contents() }
        const isDone = isOver(entry, agent)
        // It may come back: what follows it waits.
        if (!isDone && isCarried(entry.id)) return { said, contents: contents() }
        if (!told.has(entry.id)) {
          const newer = await revisions(entry, upTo)
          const message = isDone ? undefined : messageIn(asItIsNow(entry, newer[0]), isHeard)
          if (message && !budget.takes(message.text)) return { said, contents: contents() }
          if (message) said.push({ ...message, in_reply_to: await beginning(entry) })
          if (message && isOfCall(entry)) messages.push(entry.id)
          // An agent that comes to a revision in its turn has exactly the words that it replaced.
          for (const { id } of newer) told.add(id)
          ahead.push(...newer.map(({ id }) => id))
        }
        messages_to = entry.id
      }
    }
    return { said, contents: contents() }
  }

  /** It tells of a call whose caller knows by now, or of somebody else's. */
  function isOver({ body, conversation }: Entry, agent: Agent): boolean {
    if (body.kind !== 'message' || body.call_id === undefined) return false
    const call = owed().get(body.call_id)
    return call === undefined || !isFor(call, conversation, agent)
  }

  function isFor({ at, ...call }: OwedCall, conversation: string, agent: Agent): boolean {
    // An older Parley kept no name.
    return call.asker === undefined || visits.isFor({ ...agentIn(call), at }, conversation, agent)
  }
}

/** A change, too, is told in the newest words, which then need no turn of their own. */
function asItIsNow(entry: Entry, newest: Revised | undefined): Entry {
  if (entry.body.kind !== 'revision' || !newest) return revised(entry, newest?.body)
  return { ...entry, at: newest.at, body: { ...entry.body, text: newest.body.text } }
}

/** The words of a stop that the agent has heard, or is told with this answer, are no message besides. */
function messageIn({ id, at, body }: Entry, isHeard: (stop: string) => boolean): Undelivered | undefined {
  // Revisions of an older Parley were received by nobody before.
  if (body.kind === 'revision')
    return body.was === undefined ? undefined : { id, text: changeInWords(body, body), at, revises: body.was }
  if (body.kind !== 'message' || body.author !== 'user' || (body.interrupt && isHeard(id))) return undefined
  if (body.revised === 'taken_back') return undefined
  return { id, text: body.text, attachments: body.attachments, at }
}

function readAhead({ ahead = [] }: ConversationState['messages']): string[] {
  return ahead.filter(({ read }) => read).map(({ id }) => id)
}

/** The states of the stops among messages. One that is on its way may come back: what follows it waits. */
interface Stops {
  isHeard(stop: string): boolean
  isOnItsWay(stop: string): boolean
}

function wordsOf(stops: { text: string }[]): string | undefined {
  return stops.length > 0 ? stops.map(({ text }) => text).join('\n\n') : undefined
}

const NOTHING: Unread = { contents: { replies: [] }, earlier: [] }

function none() {
  return { said: [], contents: { replies: [] as string[] } }
}
