import { BEFORE_ALL, type Body, type Question, type SettledEntry } from '../protocol/entry.ts'
import type { Conversation, UnreadReply } from '../protocol/fold.ts'
import type { Chat } from './chat.ts'
import type { Clock } from './clock.ts'
import type { createPresence } from './presence.ts'
import type { Room } from './room.ts'

export type Seat = ReturnType<typeof takeSeat>

/** What a call brings back: the outcome of its question, and what the person said while nobody listened. */
export interface Outcome {
  question: string
  outcome: 'answered' | 'expired' | 'withdrawn'
  reply?: string
  earlier: EarlierMessage[]
}

export interface EarlierMessage {
  text: string
  at: number
  /** The question it answers, when the reply came after its call had ended. */
  in_reply_to?: string
}

interface SeatParts {
  chat: Chat
  room(conversation: string): Promise<Room>
  presence: ReturnType<typeof createPresence>
  /** Questions that a live call waits for: their replies are that call's, not an earlier message. */
  awaited: Set<string>
  clock: Clock
  conversation: string
  title: string
}

interface Undelivered extends EarlierMessage {
  id: string
}

interface HandedOver {
  messages_to?: string
  replies: string[]
  proven: boolean
}

const MESSAGES_AT_ONCE = 1000

/** An agent's place in a conversation: asks, and keeps count of what has reached the agent. */
export function takeSeat({ chat, room, presence, awaited, clock, conversation, title }: SeatParts) {
  const present = presence.enter(conversation)
  const given = new Set<string>()
  let givenTo: string | undefined
  let unproven: HandedOver[] = []
  let waiting = 0
  let usedAt = clock.now()
  return { conversation, ask, resume, idleMs, close: present.leave }

  async function ask(question: Omit<Question, 'kind'>, signal: AbortSignal, key?: string): Promise<Outcome> {
    const receipts = proof()
    const first = (state: Conversation) => [...titled(state), ...receipts]
    const asked = await chat.ask(conversation, question, { key, first })
    return wait(asked.id, signal)
  }

  /** Waits again for a question that was asked before, or brings the reply it got meanwhile. */
  async function resume(question: string, signal: AbortSignal): Promise<Outcome> {
    const receipts = proof()
    if (receipts.length > 0) (await room(conversation)).appendSoon(() => receipts)
    return wait(question, signal)
  }

  async function wait(question: string, signal: AbortSignal): Promise<Outcome> {
    awaited.add(question)
    waiting++
    present.asks()
    try {
      const settlement = await chat.outcome(question, signal)
      const earlier = await earlierMessages()
      signal.throwIfAborted()
      return handOver(settlement, earlier)
    } finally {
      awaited.delete(question)
      waiting--
      usedAt = clock.now()
      present.gotAnswer()
    }
  }

  /** How long the agent has not called. Waiting is not idle. */
  function idleMs(): number {
    return waiting > 0 ? 0 : clock.now() - usedAt
  }

  function handOver({ id, body }: SettledEntry, earlier: Undelivered[]): Outcome {
    const messages_to = earlier.findLast((message) => !message.in_reply_to)?.id
    const replies = earlier.filter((message) => message.in_reply_to).map((reply) => reply.id)
    if (body.reply !== undefined) replies.push(id)
    for (const reply of replies) given.add(reply)
    givenTo = messages_to ?? givenTo
    void remember({ messages_to, replies, proven: false })
    return {
      question: body.question,
      outcome: body.outcome,
      reply: body.reply,
      earlier: earlier.map(({ id: _, ...message }) => message),
    }
  }

  /** Delivered now; read only when the agent's next call shows that this result arrived. */
  async function remember(handed: HandedOver) {
    if (handed.replies.length === 0 && handed.messages_to === undefined) return
    unproven.push(handed)
    const { appendSoon } = await room(conversation)
    appendSoon(() => (handed.proven ? [] : [receipt('delivered', [handed])]))
  }

  function proof(): Body[] {
    const proven = unproven
    unproven = []
    for (const handed of proven) handed.proven = true
    return proven.length > 0 ? [receipt('read', proven)] : []
  }

  function titled(state: Conversation): Body[] {
    return state.last === BEFORE_ALL ? [{ kind: 'title', title }] : []
  }

  /** Messages nobody asked for and replies nobody waited for any more, oldest first, not yet given in this seat. */
  async function earlierMessages(): Promise<Undelivered[]> {
    const { state } = await room(conversation)
    const late = state.replies.filter((reply) => !awaited.has(reply.question) && !given.has(reply.settlement))
    const replies = await Promise.all(late.map(lateReply))
    const messages = await messagesAfter(givenTo ?? state.messages.read, state.messages.last)
    return [...replies.flat(), ...messages].sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  async function lateReply({ settlement, asked }: UnreadReply): Promise<Undelivered[]> {
    const entry = await chat.entry(settlement)
    if (entry?.body.kind !== 'settlement' || entry.body.reply === undefined) return []
    return [{ id: entry.id, text: entry.body.reply, at: entry.at, in_reply_to: asked }]
  }

  async function messagesAfter(after: string, last: string): Promise<Undelivered[]> {
    const found: Undelivered[] = []
    while (after < last && found.length < MESSAGES_AT_ONCE) {
      const { entries } = await chat.page(conversation, { after, limit: MESSAGES_AT_ONCE })
      for (const { id, at, body } of entries)
        if (body.kind === 'message' && body.author === 'user') found.push({ id, text: body.text, at })
      after = entries.at(-1)?.id ?? last
    }
    return found.slice(0, MESSAGES_AT_ONCE)
  }
}

function receipt(state: 'delivered' | 'read', handed: HandedOver[]): Body {
  return {
    kind: 'receipt',
    state,
    messages_to: handed.findLast(({ messages_to }) => messages_to)?.messages_to,
    replies: handed.flatMap(({ replies }) => replies),
  }
}
