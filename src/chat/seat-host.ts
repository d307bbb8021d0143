import type { Attachment } from '../protocol/attachment.ts'
import {
  BEFORE_ALL,
  type Body,
  type Deed,
  type Entry,
  type Question,
  type Receipt,
  type SettledEntry,
  type Title,
} from '../protocol/entry.ts'
import type { Conversation, UnreadReply } from '../protocol/fold.ts'
import { put } from './always.ts'
import type { Attached } from './attaching.ts'
import type { Chat } from './chat.ts'
import type { Presence, Present } from './presence.ts'
import { knownId, type Room } from './room.ts'
import { mustFit } from './text-size.ts'

/** A question to ask. Asked again with the same key it is still the one that was asked first. */
export interface Asking extends Omit<Question, 'kind'> {
  key: string
}

/** What a seat has handed to its agent, is about to hand over, and what the agent has proven to have. */
export interface Given {
  messages_to?: string
  replies: string[]
  /** Questions whose replies are those of calls that wait. */
  awaited: string[]
  read?: Receipt
}

/** What the person said and the agent does not have yet. */
export interface Undelivered {
  id: string
  text: string
  attachments?: Attachment[]
  at: number
  /** The question it answers, when the reply came after its call had ended. */
  in_reply_to?: string
  interrupt?: true
}

/** The hub as an agent's seat sees it, in this process or another. Every verb may be repeated when it got no answer. */
export interface SeatHost {
  /** The ids of the questions, or nothing when the person wants the agent to stop. */
  ask(conversation: string, questions: Asking[], more: { title: string; given: Given }): Promise<string[] | undefined>
  outcome(question: string, signal: AbortSignal): Promise<SettledEntry>
  conversationOf(question: string): Promise<string>
  /** Those of the questions that are open. */
  stillOpen(questions: string[]): Promise<string[]>
  unread(conversation: string, given: Given): Promise<Undelivered[]>
  tell(conversation: string, body: Deed | Title, more: { title: string; key: string }): Promise<void>
  /** Resolves when it is kept; what was only delivered may be kept a little later. */
  note(conversation: string, receipt: Receipt): Promise<void>
  enter(conversation: string): Present
}

interface HostParts {
  chat: Chat
  room(conversation: string): Promise<Room>
  presence: Presence
  textLimitBytes: number
  attached: Attached
}

const MESSAGES_AT_ONCE = 1000

/** The host for seats of this process. */
export function createSeatHost({ chat, room, presence, textLimitBytes, attached }: HostParts): SeatHost {
  /** Questions that a live call waits for: their replies are that call's, and nobody's earlier message. */
  const awaited = new Map<string, number>()
  /** What was delivered and is not noted yet. */
  const soon = new Set<Receipt>()
  return {
    ask,
    outcome,
    conversationOf: chat.conversationOf,
    stillOpen,
    unread,
    tell,
    note,
    enter: presence.enter,
  }

  async function ask(conversation: string, questions: Asking[], { title, given }: { title: string; given: Given }) {
    const { read } = given
    const asked = questions.map(({ key, attachments, ...question }) => ({
      key,
      body: { kind: 'question' as const, ...question, ...attached(attachments) },
    }))
    // All or none: what is said must not depend on which of them was too long.
    mustFit(
      asked.map(({ body }) => body),
      textLimitBytes,
    )
    const { append } = await room(conversation)
    let stopped = false
    let noted = !read
    if (read) overtake(read)
    const ids = await Promise.all(asked.map(askOne))
    if (read && !noted) await append(() => [read])
    return stopped ? undefined : ids

    async function askOne({ key, body }: (typeof asked)[number], place: number): Promise<string> {
      let again: string | undefined
      const entry = await append((state) => {
        stopped ||= isStopped(state, given)
        again = stopped ? '' : askedBefore(state, body, read?.replies)
        if (again !== undefined) return []
        if (place > 0 || !read) return [...titled(state, title), put(state, body)]
        noted = true
        return [...titled(state, title), read, put(state, body)]
      }, key)
      return again ?? entry.id
    }
  }

  async function outcome(question: string, signal: AbortSignal): Promise<SettledEntry> {
    awaited.set(question, (awaited.get(question) ?? 0) + 1)
    try {
      return await chat.outcome(question, signal)
    } finally {
      const others = (awaited.get(question) ?? 1) - 1
      if (others > 0) awaited.set(question, others)
      else awaited.delete(question)
    }
  }

  async function stillOpen(questions: string[]): Promise<string[]> {
    const conversations = await Promise.all(questions.map(chat.conversationOf))
    const states = await Promise.all(conversations.map(chat.conversation))
    return questions.filter((question, n) => states[n]?.open.some(({ id }) => id === question))
  }

  /** Messages nobody asked for and replies nobody waited for any more, oldest first. */
  async function unread(conversation: string, { messages_to, replies: given, awaited: own }: Given) {
    const { state } = await room(conversation)
    const late = state.replies.filter(
      ({ question, settlement }) => !awaited.has(question) && !own.includes(question) && !given.includes(settlement),
    )
    const replies = await Promise.all(late.map(lateReply))
    const messages = await messagesAfter(conversation, later(messages_to, state.messages.read), state.messages.last)
    return [...replies.flat(), ...messages].sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  async function lateReply({ settlement, asked }: UnreadReply): Promise<Undelivered[]> {
    const entry = await chat.entry(settlement)
    if (entry?.body.kind !== 'settlement' || entry.body.reply === undefined) return []
    const { reply: text, attachments } = entry.body
    return [{ id: entry.id, text, attachments, at: entry.at, in_reply_to: asked }]
  }

  async function messagesAfter(conversation: string, after: string, last: string): Promise<Undelivered[]> {
    const found: Undelivered[] = []
    while (after < last && found.length < MESSAGES_AT_ONCE) {
      const { entries } = await chat.page(conversation, { after, limit: MESSAGES_AT_ONCE })
      found.push(...entries.flatMap(said))
      after = entries.at(-1)?.id ?? last
    }
    return found.slice(0, MESSAGES_AT_ONCE)
  }

  async function tell(conversation: string, body: Deed | Title, { title, key }: { title: string; key: string }) {
    const { append } = await room(conversation)
    await append((state) => (body.kind === 'title' ? [body] : [...titled(state, title), whole(body)]), key)
  }

  function whole(deed: Deed): Deed {
    return deed.kind === 'progress' ? { ...deed, ...attached(deed.attachments) } : deed
  }

  async function note(conversation: string, receipt: Receipt) {
    const { append, appendSoon } = await room(conversation)
    if (receipt.state === 'read') {
      overtake(receipt)
      await append(() => [receipt])
      return
    }
    soon.add(receipt)
    appendSoon(() => (soon.delete(receipt) ? [receipt] : []))
  }

  /** What is read by now need not be told to be delivered. */
  function overtake({ messages_to = BEFORE_ALL, replies = [] }: Receipt) {
    const covered = (late: Receipt) =>
      (late.messages_to ?? BEFORE_ALL) <= messages_to && late.replies?.every((reply) => replies.includes(reply))
    for (const late of soon) if (covered(late)) soon.delete(late)
  }
}

/** The same agent asking the same again means the question that is open, or the reply it does not have yet. */
function askedBefore(state: Conversation, asked: Omit<Question, 'kind'>, read: string[] = []) {
  const { by, text } = asked
  const open = state.open.find((question) => question.by === by && question.text === text && sameFiles(question, asked))
  if (open) return knownId(open.id)
  const isIt = (reply: UnreadReply) => reply.by === by && reply.asked === text && !read.includes(reply.settlement)
  return state.replies.find(isIt)?.question
}

/** Pictures of something else make another question of the same words. */
function sameFiles(one: Pick<Question, 'attachments'>, other: Pick<Question, 'attachments'>): boolean {
  const hashes = ({ attachments = [] }: Pick<Question, 'attachments'>) => attachments.map(({ hash }) => hash).join()
  return hashes(one) === hashes(other)
}

function isStopped({ messages: { stop = BEFORE_ALL, read } }: Conversation, given: Given): boolean {
  return stop > later(later(given.messages_to, given.read?.messages_to), read)
}

function titled(state: Conversation, title: string): Body[] {
  return state.last === BEFORE_ALL ? [{ kind: 'title', title }] : []
}

function said({ id, at, body }: Entry): Undelivered[] {
  if (body.kind !== 'message' || body.author !== 'user') return []
  const { text, attachments, interrupt } = body
  return [{ id, text, attachments, at, ...(interrupt && { interrupt }) }]
}

function later(a = BEFORE_ALL, b = BEFORE_ALL): string {
  return a > b ? a : b
}
