import { AFTER_ALL, BEFORE_ALL, type Entry } from '../protocol/entry.ts'
import { INBOX_LIMIT, type Inbox, type InboxMessage, inboxMessage } from '../protocol/inbox.ts'
import type { Chat } from './chat.ts'

export type InboxView = ReturnType<typeof openInbox>

// Notifications that come together are told together; nobody waits longer than this for one.
const BATCH_MS = 5
const PAGE = 1000

/** The conversations as programs see them: messages only, by id, over one conversation or all. */
export function openInbox({ chat }: { chat: Chat }) {
  const listeners = new Set<(messages: InboxMessage[]) => void>()
  const watchers = new Set<(conversation: string) => void>()
  let batch: InboxMessage[] = []
  let following: { close(): void } | undefined
  const ready = follow()
  // A log that cannot be read says so to whoever reads next.
  ready.catch(() => {})
  return { newest, readSince, onUserMessages, onAgent, close }

  /** The newest messages, oldest first. */
  async function newest(conversation?: string): Promise<Inbox> {
    let messages: InboxMessage[] = []
    let before = AFTER_ALL
    for (;;) {
      const { entries, has_older } = await chat.page(conversation, { before, limit: PAGE })
      messages = [...messagesOf(entries), ...messages]
      if (messages.length > INBOX_LIMIT || !has_older) break
      before = entries[0]?.id ?? BEFORE_ALL
    }
    const shown = messages.slice(-INBOX_LIMIT)
    const inbox = { last_id: shown.at(-1)?.id ?? BEFORE_ALL, messages: shown }
    return messages.length > INBOX_LIMIT ? { ...inbox, has_older: true } : inbox
  }

  /** The first messages after the id. `last_id` is where to go on, also when nothing came. */
  async function readSince(conversation: string | undefined, after: string, limit: number): Promise<Inbox> {
    const messages: InboxMessage[] = []
    let last_id = after
    for (;;) {
      const { entries, has_newer } = await chat.page(conversation, { after: last_id, limit: Math.min(PAGE, limit + 1) })
      for (const message of messagesOf(entries)) {
        if (messages.length === limit) return { messages, last_id: messages.at(-1)?.id ?? after }
        messages.push(message)
      }
      last_id = entries.at(-1)?.id ?? last_id
      if (!has_newer) return { messages, last_id: messages.at(-1)?.id ?? after }
    }
  }

  /** Never an assistant's: programs that post would hear their own echo. */
  function onUserMessages(listener: (messages: InboxMessage[]) => void) {
    listeners.add(listener)
    return { close: () => listeners.delete(listener) }
  }

  /** Called when the agent of a conversation comes, asks, works or goes. */
  function onAgent(watcher: (conversation: string) => void) {
    watchers.add(watcher)
    return { close: () => watchers.delete(watcher) }
  }

  async function follow() {
    const after = await chat.last()
    following = chat.follow({ after }, { entries: gather, agent })
  }

  function gather(entries: Entry[]) {
    if (listeners.size === 0) return
    const said = messagesOf(entries).filter(({ author }) => author === 'user')
    if (said.length === 0) return
    if (batch.length === 0) setTimeout(tell, BATCH_MS)
    batch.push(...said)
  }

  function agent(conversation: string) {
    for (const watcher of [...watchers]) watcher(conversation)
  }

  function tell() {
    const messages = batch
    batch = []
    for (const listener of [...listeners]) listener(messages)
  }

  function close() {
    following?.close()
    listeners.clear()
    watchers.clear()
  }
}

function messagesOf(entries: Entry[]): InboxMessage[] {
  return entries.map(inboxMessage).filter((message) => message !== undefined)
}
