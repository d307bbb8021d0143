import { BEFORE_ALL } from '../../protocol/entries/entry.ts'
import { later } from '../../protocol/entries/later.ts'
import { INBOX_LIMIT, type Inbox, type InboxMessage, type InboxPage } from '../../protocol/frames/inbox.ts'
import { roomForOne } from './answer-room.ts'

/** The newest messages of several conversations, as those of one: none is left out between two that are there. */
export function newestTogether(inboxes: Inbox[]): Inbox {
  const from = later(BEFORE_ALL, ...inboxes.map(({ has_older, messages }) => (has_older ? messages[0]?.id : undefined)))
  const all = together(inboxes).filter(({ id }) => id >= from)
  const messages = fitting(all.toReversed(), INBOX_LIMIT).reverse()
  const has_older = inboxes.some(({ has_older }) => has_older) || all.length > messages.length
  return { last_id: later(...inboxes.map(({ last_id }) => last_id)), messages, ...(has_older && { has_older }) }
}

/** Pages of several conversations after the same id, as one of at most so many: where one has more, the others wait. */
export function pageTogether(pages: InboxPage[], after: string, limit = Infinity): InboxPage {
  const ends = pages.flatMap(({ has_more, last_id }) => (has_more ? last_id : [])).sort()
  const all = together(pages).filter(({ id }) => ends[0] === undefined || id <= ends[0])
  const messages = fitting(all, limit)
  if (ends.length === 0 && all.length === messages.length)
    return { messages, last_id: later(after, ...pages.map(({ last_id }) => last_id)), has_more: false }
  return { messages, last_id: messages.at(-1)?.id ?? after, has_more: true }
}

/** The first of them, as many as one answer holds. */
function fitting(messages: InboxMessage[], limit: number): InboxMessage[] {
  const fits = roomForOne()
  const end = messages.findIndex((message, place) => place === limit || !fits(message))
  return end === -1 ? messages : messages.slice(0, end)
}

function together(all: { messages: InboxMessage[] }[]): InboxMessage[] {
  return all.flatMap(({ messages }) => messages).sort((a, b) => (a.id < b.id ? -1 : 1))
}
