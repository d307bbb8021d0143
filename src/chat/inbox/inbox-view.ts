import { createQueue } from '../../io/queue.ts'
import type { Entry } from '../../protocol/entries/entry.ts'
import type { Inbox, InboxMessage, InboxPage } from '../../protocol/frames/inbox.ts'
import { COMMON, type Principal } from '../../protocol/principal.ts'
import type { ChatService } from '../chat-service.ts'
import type { Inboxes } from './inbox.ts'
import { newestTogether, pageTogether } from './inboxes-together.ts'
import type { Watermarks } from './watermarks.ts'

interface InboxViewParts {
  service: Pick<ChatService, 'report' | 'last'>
  inbox: Inboxes
  watermarks: Watermarks
  principal: Principal
  /** The conversation that is meant, if only one is. */
  scope(conversation: string | undefined): string | undefined
  maySee(conversation: string): boolean
}

/** The inbox as one principal may read it. */
export function inboxView({ service, inbox, watermarks, principal, scope, maySee }: InboxViewParts) {
  return { newest, readSince, readAndAdvance, onUserMessages, onAgent, isOwn }

  async function newest(conversation?: string): Promise<Inbox> {
    const [first, second] = places(conversation)
    if (second === undefined) return inbox.newest(first)
    // Nothing of one may be skipped because of what came to the other meanwhile.
    const upTo = await service.last()
    return newestTogether(await Promise.all([inbox.newest(first, upTo), inbox.newest(second, upTo)]))
  }

  async function readSince(conversation: string | undefined, after: string, limit?: number): Promise<InboxPage> {
    const [first, second] = places(conversation)
    if (second === undefined) return inbox.readSince(first, after, limit)
    const upTo = await service.last()
    const read = (place: string | undefined) => inbox.readSince(place, after, limit, upTo)
    return pageTogether(await Promise.all([read(first), read(second)]), after, limit)
  }

  /** The one that is named or the visit's, with the common one where nobody named it; nothing in it means all. */
  function places(conversation: string | undefined): [first?: string, second?: string] {
    const { home } = principal
    const named = scope(conversation)
    if (named !== undefined || !home) return [named]
    return home.isNamed || home.conversation === COMMON ? [home.conversation] : [home.conversation, COMMON]
  }

  /** Whether it is one of those that are read where none is named. */
  function isOwn(conversation: string): boolean {
    const own = places(undefined)
    return maySee(conversation) && (own[0] === undefined || own.includes(conversation))
  }

  /** Reads after what was read this way before, and moves on. */
  async function readAndAdvance(conversation: string | undefined, limit?: number, key?: string): Promise<InboxPage> {
    return watermarks.readAndAdvance({
      subscriber: principal.id,
      conversation: places(conversation)[0],
      key,
      read: async (after, upTo) => {
        const page = await readSince(conversation, after, limit)
        return upTo === undefined ? page : { ...page, messages: page.messages.filter(({ id }) => id <= upTo) }
      },
    })
  }

  /** One batch after the other. */
  function onUserMessages(listener: (messages: InboxMessage[]) => void) {
    let isOpen = true
    const told = createQueue()
    const following = inbox.onUserMessages((said) => {
      const own = said.filter(({ conversation }) => maySee(conversation))
      if (own.length > 0) told.add(() => tell(own)).catch(service.report)
    })
    return {
      close() {
        isOpen = false
        following.close()
      },
    }

    async function tell(said: Entry[]) {
      const messages = await inbox.messagesOf(said)
      if (isOpen && messages.length > 0) listener(messages)
    }
  }

  function onAgent(listener: Parameters<Inboxes['onAgent']>[0]) {
    return inbox.onAgent((conversation) => isOwn(conversation) && listener(conversation))
  }
}
