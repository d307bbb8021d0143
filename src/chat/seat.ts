import {
  BEFORE_ALL,
  type Body,
  type Deed,
  type Question,
  type SettledEntry,
  type Settlement,
  type Title,
} from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Conversation, UnreadReply } from '../protocol/fold.ts'
import type { Chat } from './chat.ts'
import type { Clock } from './clock.ts'
import type { createPresence } from './presence.ts'
import type { Room } from './room.ts'

export type Seat = ReturnType<typeof takeSeat>

/** What a call brings back: how its questions ended, and what the person said while nobody listened. */
export interface Outcome {
  /** In the order of the questions; none when the time ran out. */
  settlements: Settlement[]
  /** The questions that had no outcome when the time ran out. */
  open: string[]
  earlier: EarlierMessage[]
}

export interface Wait {
  signal: AbortSignal
  /** After this long the call comes back without an outcome; the questions stay open. */
  waitMs?: number
  /** The answer has room for the outcome alone. */
  alone?: boolean
}

/** A question to ask. Asked again with the same key it is still the one that was asked first. */
export interface Asking extends Omit<Question, 'kind'> {
  key?: string
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
  /** The agent may see this conversation only. */
  bound?: boolean
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
export function takeSeat({ chat, room, presence, awaited, clock, conversation, title, bound }: SeatParts) {
  const present = presence.enter(conversation)
  const given = new Set<string>()
  let givenTo: string | undefined
  let unproven: HandedOver[] = []
  let waiting = 0
  let usedAt = clock.now()
  return { conversation, ask, resume, messages, tell, idleMs, close: present.leave }

  async function ask(questions: Asking[], wait: Wait): Promise<Outcome> {
    const receipts = proof()
    const asked = questions.map(({ key, ...question }, n) =>
      chat.ask(conversation, question, {
        key,
        first: (state) => (n === 0 ? [...titled(state), ...receipts] : []),
      }),
    )
    return waitFor(
      (await Promise.all(asked)).map(({ id }) => id),
      wait,
    )
  }

  /** Waits again for questions that were asked before, or brings the replies they got meanwhile. */
  async function resume(questions: string[], wait: Wait): Promise<Outcome> {
    await prove()
    for (const question of questions)
      if (bound && (await chat.conversationOf(question)) !== conversation)
        throw new ParleyError('unknown_question', { question })
    return waitFor(questions, wait)
  }

  /** What the person said while nobody listened, without waiting for more. */
  async function messages(): Promise<EarlierMessage[]> {
    await prove()
    usedAt = clock.now()
    return handOver([], await earlierMessages()).earlier
  }

  /** Tells what the agent does or how the conversation is called, and brings what the person said meanwhile. */
  async function tell(body: Deed | Title): Promise<EarlierMessage[]> {
    await chat.say(conversation, (state) => (body.kind === 'title' ? [body] : [...titled(state), body]))
    return messages()
  }

  async function waitFor(questions: string[], { signal, waitMs, alone }: Wait): Promise<Outcome> {
    const limit = waitMs === undefined ? undefined : limited(signal, waitMs)
    for (const question of questions) awaited.add(question)
    waiting++
    present.asks()
    try {
      const settled = await Promise.all(questions.map((question) => chat.outcome(question, limit?.signal ?? signal)))
      // Nothing is handed over with what is going to be an error: it would count as delivered.
      const replied = settled.some(({ body }) => body.reply !== undefined)
      const earlier = replied && !alone ? await earlierMessages() : []
      signal.throwIfAborted()
      return handOver(settled, earlier)
    } catch (error) {
      if (error instanceof ParleyError && error.code === 'shutting_down')
        throw new ParleyError('come_back', { question: questions.join('", then "') }, error)
      if (!limit?.ranOut()) throw error
      const { state } = await room(conversation)
      const open = state.open.map(({ id }) => id).filter((id) => questions.includes(id))
      // The last answer may have come in the same moment, and then it counts.
      return open.length > 0 ? { settlements: [], open, earlier: [] } : waitFor(questions, { signal, alone })
    } finally {
      limit?.cancel()
      for (const question of questions) awaited.delete(question)
      waiting--
      usedAt = clock.now()
      present.gotAnswer()
    }
  }

  function limited(signal: AbortSignal, waitMs: number) {
    const time = new AbortController()
    const { cancel } = clock.alarm(clock.now() + waitMs, () => time.abort())
    return {
      signal: AbortSignal.any([signal, time.signal]),
      ranOut: () => time.signal.aborted && !signal.aborted,
      cancel,
    }
  }

  /** How long the agent has not called. Waiting is not idle. */
  function idleMs(): number {
    return waiting > 0 ? 0 : clock.now() - usedAt
  }

  function handOver(settled: SettledEntry[], earlier: Undelivered[]): Outcome {
    const messages_to = earlier.findLast((message) => !message.in_reply_to)?.id
    const late = earlier.filter((message) => message.in_reply_to)
    const replies = [...late, ...settled.filter(({ body }) => body.reply !== undefined)].map(({ id }) => id)
    for (const reply of replies) given.add(reply)
    givenTo = messages_to ?? givenTo
    void remember({ messages_to, replies, proven: false })
    return {
      settlements: settled.map(({ body }) => body),
      open: [],
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

  async function prove() {
    const receipts = proof()
    if (receipts.length > 0) (await room(conversation)).appendSoon(() => receipts)
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
