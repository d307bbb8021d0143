import type { Entry } from '../protocol/entry.ts'
import type { Inbox, InboxMessage, InboxPage } from '../protocol/inbox.ts'
import { can, LOCAL, type Principal } from '../protocol/principal.ts'
import type { Acts } from './acts.ts'
import type { Inboxes } from './inbox.ts'
import type { Watermarks } from './watermarks.ts'

interface InboxViewParts {
  acts: Pick<Acts, 'received' | 'report'>
  inbox: Inboxes
  watermarks: Watermarks
  saysWhatItReceives?: boolean
  principal: Principal
  /** The conversation that is meant, if only one is. */
  scope(conversation: string | undefined): string | undefined
  maySee(conversation: string): boolean
}

/** The inbox as one principal may read it. What is handed to one that can be an agent counts as received from then on. */
export function inboxView({ acts, inbox, watermarks, saysWhatItReceives, principal, scope, maySee }: InboxViewParts) {
  return { newest, readSince, readAndAdvance, onUserMessages, onAgent }

  async function newest(conversation?: string): Promise<Inbox> {
    const place = scope(conversation)
    return handed(place, () => inbox.newest(place), lastIn)
  }

  async function readSince(conversation: string | undefined, after: string, limit?: number): Promise<InboxPage> {
    const place = scope(conversation)
    return handed(place, () => inbox.readSince(place, after, limit), lastIn)
  }

  /** After what was read so before, which moves on. */
  async function readAndAdvance(conversation: string | undefined, limit?: number, key?: string): Promise<InboxPage> {
    return watermarks.readAndAdvance({
      subscriber: principal.id,
      conversation: scope(conversation),
      key,
      read: (after) => readSince(conversation, after, limit),
    })
  }

  /** One batch after the other, each as it is when it is told. */
  function onUserMessages(listener: (messages: InboxMessage[]) => void) {
    let isOpen = true
    let told: Promise<unknown> = Promise.resolve()
    const following = inbox.onUserMessages((said) => {
      const own = said.filter(({ conversation }) => maySee(conversation))
      if (own.length > 0) told = told.then(() => tell(own)).catch(acts.report)
    })
    return {
      close() {
        isOpen = false
        following.close()
      },
    }

    async function tell(said: Entry[]) {
      const byConversation = [...Map.groupBy(said, ({ conversation }) => conversation)]
      const batches = await Promise.all(
        byConversation.map(([conversation, own]) => handed(conversation, () => inbox.messagesOf(own), lastOf)),
      )
      const messages = batches.flat().sort((a, b) => (a.id < b.id ? -1 : 1))
      if (isOpen && messages.length > 0) listener(messages)
    }
  }

  function onAgent(listener: Parameters<Inboxes['onAgent']>[0]) {
    return inbox.onAgent((conversation) => maySee(conversation) && listener(conversation))
  }

  function handed<Brought>(
    conversation: string | undefined,
    read: () => Promise<Brought>,
    last: (brought: Brought) => string | undefined,
  ): Promise<Brought> {
    const counts = mayBeAgent(principal) && !saysWhatItReceives
    return counts ? acts.received.handing(conversation, read, last) : read()
  }
}

/** Without a token a program that works for an agent cannot be told from one that works for a person. */
function mayBeAgent(principal: Principal): boolean {
  return principal.name === LOCAL || can(principal, 'ask')
}

function lastIn({ messages }: Pick<Inbox, 'messages'>): string | undefined {
  return lastOf(messages)
}

function lastOf(messages: InboxMessage[]): string | undefined {
  return messages.findLast(({ author }) => author === 'user')?.id
}
