import { setImmediate as others } from 'node:timers/promises'
import { createEmitter } from '../../io/emitter.ts'
import { AFTER_ALL, BEFORE_ALL, type Entry } from '../../protocol/entries/entry.ts'
import { later } from '../../protocol/entries/later.ts'
import {
  INBOX_LIMIT,
  type Inbox,
  type InboxMessage,
  type InboxPage,
  inboxMessage,
} from '../../protocol/frames/inbox.ts'
import type { ChatService } from '../chat-service.ts'
import { twice } from '../conversation/steady.ts'
import { answeredBy } from '../questions/answering.ts'
import { roomForOne } from './answer-room.ts'
import { createGathering } from './gathering.ts'

export type Inboxes = ReturnType<typeof openInbox>

interface InboxParts {
  service: Pick<ChatService, 'page' | 'last' | 'lastSaid' | 'follow' | 'beginning' | 'runnerOf'>
  report(error: unknown): void
}

// An entry may take 1 MiB and more: few at once, so that nobody ever holds many of those for one answer.
const PAGE = 64
// The work for one of them takes about 0.2 ms.
const AT_ONCE = 25

/** The conversations as programs see them: messages only, by id, over one conversation or all. */
export function openInbox({ service, report }: InboxParts) {
  const listeners = new Set<(said: Entry[]) => void>()
  const agents = createEmitter<[conversation: string]>()
  const { gather, forgotten } = createGathering(tell)
  let following: { close(): void } | undefined
  let closed = false
  let telling: Promise<void> = Promise.resolve()
  follow().catch(report)
  return { newest, readSince, messagesOf, onUserMessages, onAgent: agents.on, close }

  /** The newest messages, oldest first; none after `upTo`. */
  async function newest(conversation?: string, upTo = AFTER_ALL): Promise<Inbox> {
    const messages: InboxMessage[] = []
    const fits = roomForOne()
    for (let before = AFTER_ALL; ; ) {
      const { entries, has_older } = await service.page(conversation, { before, limit: PAGE })
      for (const message of (await messagesOf(entries.filter(({ id }) => id <= upTo))).reverse()) {
        if (messages.length === INBOX_LIMIT || !fits(message)) return { ...inboxOf(messages), has_older: true }
        messages.push(message)
      }
      if (!has_older) return inboxOf(messages)
      before = entries[0]?.id ?? BEFORE_ALL
    }
  }

  /**
   * The first messages after the id. `last_id` is where to go on: past everything that was looked at, messages or not,
   * so that nobody looks at it again. What comes after `upTo` is left to the next read.
   */
  async function readSince(
    conversation: string | undefined,
    after: string,
    limit = Infinity,
    upTo = AFTER_ALL,
  ): Promise<InboxPage> {
    const { at, said } = await service.lastSaid(conversation)
    const messages: InboxMessage[] = []
    const fits = roomForOne()
    for (let from = after; from < said; ) {
      const { entries } = await service.page(conversation, { after: from, limit: Math.min(PAGE, limit + 1) })
      for (const message of await messagesOf(entries.filter(({ id }) => id <= upTo))) {
        if (messages.length === limit || !fits(message))
          return { messages, last_id: messages.at(-1)?.id ?? after, has_more: true }
        messages.push(message)
      }
      from = entries.at(-1)?.id ?? said
    }
    return { messages, last_id: later(after, at < upTo ? at : upTo, messages.at(-1)?.id), has_more: false }
  }

  /** Messages of assistants are left out: programs that post would hear their own echo. */
  function onUserMessages(listener: (said: Entry[]) => void) {
    listeners.add(listener)
    return { close: () => listeners.delete(listener) }
  }

  async function follow() {
    const after = await twice(service.last, report)
    if (!closed) following = service.follow({ after }, { entries: hear, agent: agents.emit, forgotten, failed: report })
  }

  function hear(entries: Entry[]) {
    if (listeners.size > 0) gather(entries.filter(isUsers))
  }

  /** A crowd in pieces, so that nobody who speaks waits until everyone was told; each is told in order. */
  function tell(said: Entry[]) {
    telling = telling.then(async () => {
      for (const [place, listener] of [...listeners].entries()) {
        if (place > 0 && place % AT_ONCE === 0) await others()
        if (listeners.has(listener)) listener(said)
      }
    })
  }

  /** Messages as they were said: a change is a message of its own. */
  async function messagesOf(entries: Entry[]): Promise<InboxMessage[]> {
    const messages = await Promise.all(entries.map(messageOf))
    return messages.filter((message) => message !== undefined)
  }

  async function messageOf(entry: Entry): Promise<InboxMessage | undefined> {
    const message = inboxMessage(entry)
    if (message?.author !== 'user') return message
    const id = answeredBy(entry.body)
    const runner = await service.runnerOf(entry)
    return {
      ...message,
      ...(id !== undefined && { in_reply_to: { id, text: await service.beginning(entry) } }),
      ...(runner !== undefined && { runner }),
    }
  }

  function close() {
    closed = true
    following?.close()
    listeners.clear()
  }
}

function isUsers(entry: Entry): boolean {
  return inboxMessage(entry)?.author === 'user'
}

/** Takes the messages newest first, and has them oldest first. */
function inboxOf(messages: InboxMessage[]): Inbox {
  return { last_id: messages[0]?.id ?? BEFORE_ALL, messages: messages.reverse() }
}
