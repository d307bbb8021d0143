import { randomUUID } from 'node:crypto'
import type { FileStore } from '../files/file-store.ts'
import { type Follower, idBefore, type Log } from '../log/log.ts'
import { BEFORE_ALL, type Body, type Deed, type Entry, type Question, type SettledEntry } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Conversation } from '../protocol/fold.ts'
import { TEXT_LIMIT_BYTES } from '../protocol/text.ts'
import { put, revoked } from './always.ts'
import { createAttaching, type Posting } from './attaching.ts'
import { type Clock, systemClock } from './clock.ts'
import { newConversationName } from './conversation-name.ts'
import { createDeadlines } from './deadlines.ts'
import { createOpenQuestions } from './open-questions.ts'
import { createPresence } from './presence.ts'
import { createReading } from './reading.ts'
import { type Decide, knownId, openRoom, type Room } from './room.ts'
import { takeSeat } from './seat.ts'
import { createSeatHost } from './seat-host.ts'
import { createSettling } from './settling.ts'
import { createWaiters } from './waiters.ts'

export type Chat = ReturnType<typeof createChat>

/** Live entries and presence, as the doors see them. */
export interface Listener {
  entries(entries: Entry[]): void | Promise<void>
  agent?(conversation: string, state: ReturnType<Chat['agentState']>): void
  failed?(error: unknown): void
}

const CONVERSATIONS_PAGE = 200
const SETTLEMENT_PAGE = 500

interface ChatParts {
  log: Log
  /** Without it nothing can be attached. */
  files?: Pick<FileStore, 'describe'>
  clock?: Clock
  textLimitBytes?: number
}

/** The domain: people and agents talk, and every question gets exactly one outcome. */
export function createChat({ log, files, clock = systemClock, textLimitBytes = TEXT_LIMIT_BYTES }: ChatParts) {
  const rooms = new Map<string, Promise<Room>>()
  const open = createOpenQuestions({ changed: (conversation) => presence.look(conversation) })
  const reading = createReading({ log, titleOf: async (id) => (await conversation(id)).title })
  const { entry } = reading
  const waiters = createWaiters()
  const deadlines = createDeadlines({ clock, expire: (question) => void expire(question) })
  const presence = createPresence({
    clock,
    hasOpenQuestion: open.isAnyIn,
    changed: (conversation, state) => log.signal(conversation, state),
  })
  const attached = createAttaching(files)
  const { expire, ...verdicts } = createSettling({ append, placeOf: open.placeOf, conversationOf, attached })
  const recovered = recover()
  // Whoever needs it awaits it and gets the error; nobody needing it is no crash.
  recovered.catch(() => {})

  const chat = {
    recovered,
    /** For the seats of agents, also of those in other processes. */
    get host() {
      return host
    },
    post,
    record,
    ask,
    ...verdicts,
    revoke,
    interrupt,
    rename,
    outcome,
    stopWaiting: waiters.close,
    openQuestions: open.count,
    conversation,
    conversationOf,
    conversations,
    current,
    ...reading,
    follow,
    agentState: presence.stateOf,
    agentStatus: presence.statusOf,
    agents: presence.attached,
    /** Without a conversation it is a new one, named after the title. */
    seat: ({ conversation, title, bound }: { conversation?: string; title: string; bound?: boolean }) =>
      takeSeat({
        host,
        clock,
        newKey: randomUUID,
        conversation: conversation ?? newConversationName(title),
        title,
        bound,
      }),
    close,
  }
  const host = createSeatHost({ chat, room, presence, textLimitBytes, attached })
  return chat

  async function post(conversation: string, { attachments, ...message }: Posting, key?: string): Promise<Entry> {
    return append(conversation, () => [{ kind: 'message', ...message, ...attached(attachments) }], key)
  }

  /** What an agent does besides talking. */
  async function record(conversation: string, deed: Deed, key?: string): Promise<Entry> {
    return append(conversation, () => [deed], key)
  }

  /** `first` comes before the question in the same append: receipts, and the title of a new conversation. */
  async function ask(
    conversation: string,
    question: Omit<Question, 'kind'>,
    { key, first = () => [] }: { key?: string; first?: Decide } = {},
  ): Promise<Entry> {
    return append(conversation, (state) => [...first(state), put(state, { kind: 'question', ...question })], key)
  }

  /** What is open needs no answer any more; the agent is told with its waiting or next call. */
  async function interrupt(conversation: string, words = 'Stop', by: string, key?: string): Promise<Entry> {
    await mustExist(conversation)
    const decide: Decide = ({ open }) => [
      ...open.map(({ id }): Body => ({ kind: 'settlement', question: knownId(id), outcome: 'withdrawn', by })),
      { kind: 'message', author: 'user', by, text: words, interrupt: true },
    ]
    return append(conversation, decide, key)
  }

  /** The tool, which was always allowed there, is asked about again. */
  async function revoke(conversation: string, tool: string, by: string, key?: string): Promise<Entry> {
    await mustExist(conversation)
    return append(conversation, (state) => [revoked(state, tool, by)], key)
  }

  async function rename(conversation: string, title: string, key?: string): Promise<Entry> {
    await mustExist(conversation)
    return append(conversation, () => [{ kind: 'title', title }], key)
  }

  /** The settlement of a question, now or when it comes. Aborting ends the wait, not the question. */
  async function outcome(question: string, signal: AbortSignal): Promise<SettledEntry> {
    const conversation = await conversationOf(question)
    const { state } = await room(conversation)
    if (state.open.some(({ id }) => id === question)) return waiters.wait(question, signal)
    for (let after = idBefore(question); ; ) {
      const page = (await log.read({ conversation, after, limit: SETTLEMENT_PAGE })) as Entry[]
      const settlement = page.map(settlementIn).find((entry) => entry?.body.question === question)
      if (settlement) return settlement
      after = page.at(-1)?.id ?? unsettled(question)
    }
  }

  async function conversation(id: string): Promise<Conversation> {
    return (await room(id)).state
  }

  /** Newest first. */
  async function conversations({ before, limit }: { before?: string; limit: number }): Promise<Conversation[]> {
    const page = await log.conversations({ before, limit })
    return Promise.all(page.map((last) => conversation(last.conversation)))
  }

  /** Those with an agent attached or a question open, the oldest open question first. */
  async function current(): Promise<string[]> {
    await recovered
    return [...new Set([...open.conversations(), ...presence.attached()])]
  }

  function follow(from: { conversation?: string; after: string }, listener: Listener) {
    const follower: Follower = {
      entries: (entries) => listener.entries(entries as Entry[]),
      signal: (conversation, state) => listener.agent?.(conversation, state as ReturnType<typeof presence.stateOf>),
      failed: (error) => listener.failed?.(error),
    }
    return log.follow(from, follower)
  }

  async function close() {
    deadlines.close()
    waiters.close()
    const opened = await Promise.all(rooms.values())
    await Promise.all(opened.map((room) => room.flush()))
    await log.close()
  }

  async function append(conversation: string, decide: (state: Conversation) => Body[], key?: string) {
    return (await room(conversation)).append(decide, key)
  }

  function room(conversation: string): Promise<Room> {
    const known = rooms.get(conversation)
    if (known) return known
    const opening = openRoom({ log, conversation, textLimitBytes, onEntry }).then((room) => {
      for (const question of room.state.open) {
        open.add(question.id, conversation)
        deadlines.watch(question)
      }
      return room
    })
    rooms.set(conversation, opening)
    // A failed read is not remembered: the next one tries again.
    opening.catch(() => rooms.delete(conversation))
    return opening
  }

  function onEntry(entry: Entry, state: Conversation) {
    if (entry.body.kind === 'question') {
      open.add(entry.id, entry.conversation)
      const question = state.open.at(-1)
      if (question) deadlines.watch(question)
    }
    if (isSettlement(entry)) {
      open.remove(entry.body.question)
      deadlines.forget(entry.body.question)
      waiters.settled(entry.body.question, entry)
    }
  }

  /** Loads every conversation in the background, newest first: open questions and their deadlines come back to life. */
  async function recover() {
    let before: string | undefined
    for (;;) {
      const page = await log.conversations({ before, limit: CONVERSATIONS_PAGE })
      await Promise.all(page.map((last) => room(last.conversation)))
      if (page.length < CONVERSATIONS_PAGE) return
      before = page.at(-1)?.last
    }
  }

  async function conversationOf(question: string): Promise<string> {
    const known = open.placeOf(question)
    if (known) return known
    const found = await entry(question)
    if (found?.body.kind !== 'question' && found?.body.kind !== 'permitted_call')
      throw new ParleyError('unknown_question', { question })
    return found.conversation
  }

  async function mustExist(conversation: string) {
    const { state } = await room(conversation)
    if (state.last === BEFORE_ALL) throw new ParleyError('unknown_conversation', { conversation })
  }
}

function unsettled(question: string): never {
  throw new Error(`Question ${question} is neither open nor settled`)
}

/** A call that nobody was asked about has its outcome in itself. */
function settlementIn(entry: Entry): SettledEntry | undefined {
  if (isSettlement(entry)) return entry
  if (entry.body.kind !== 'permitted_call') return undefined
  const { granted_by: by } = entry.body
  return { ...entry, body: { kind: 'settlement', question: entry.id, outcome: 'approved', by, always: 'used' } }
}

function isSettlement(entry: Entry): entry is SettledEntry {
  return entry.body.kind === 'settlement'
}
