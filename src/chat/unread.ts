import { idBefore } from '../log/journal.ts'
import type { Views } from '../log/views.ts'
import type { Attachment } from '../protocol/attachment.ts'
import { type Entry, isSettlement } from '../protocol/entry.ts'
import type { Conversation } from '../protocol/fold.ts'
import { later } from './later.ts'

/** What the person said and the agent does not have yet. */
export interface Undelivered {
  id: string
  text: string
  attachments?: Attachment[]
  at: number
  /** The question it answers, when the reply came after its call had ended, or how the message begins that it is about. */
  in_reply_to?: string
}

/** What is in one parcel, by id: messages and, where there are many, replies up to one; other replies by name. */
export interface Contents {
  messages_to?: string
  replies: string[]
  replies_to?: string
  stop?: string
}

/** What a seat has handed to its agent or is about to. */
export interface Given extends Contents {
  /** Questions whose replies are those of calls that wait. */
  awaited: string[]
  /** Messages are on their way just now, and may come back: the ones after them wait. */
  busy?: boolean
}

export interface Wanted {
  /** There is room for the words of a stop, and for nothing else. */
  alone?: boolean
  /** The settlement of the call's own question, when it was withdrawn: a stop after it was meant for this call too. */
  withdrawn?: string
}

/** What waits for the agent of a conversation, as much of it as one answer should hold. */
export interface Unread {
  contents: Contents
  earlier: Undelivered[]
  /** What the person wants instead of what the agent does. */
  interrupted?: string
}

interface UnreadParts {
  views: Pick<Views, 'read'>
  /** The entries as they are to be read. */
  amended(entries: Entry[]): Promise<Entry[]>
  /** How the entry begins that a message answers. */
  beginning(message: Entry): Promise<string | undefined>
  entry(id: string): Promise<Entry | undefined>
  /** A live call waits for it: its reply is that call's, and nobody's earlier message. */
  isAwaited(question: string): boolean
  /** The caller of this call has not been told yet what became of it. */
  isOwed(call: string): boolean
}

// What one answer brings along; what is more comes with the next.
const MOST = 1000
const MOST_LENGTH = 1024 * 1024
const PAGE = 1000

/** Reads what the person said and nobody has proven to have, oldest first. */
export function createUnread({ views, amended, beginning, entry, isAwaited, isOwed }: UnreadParts) {
  return { take, stop }

  async function take(state: Conversation, given: Given, { alone, withdrawn }: Wanted): Promise<Unread> {
    const stop = await stopFor(state, given, withdrawn)
    const heard = later(given.stop, state.stop?.read)
    const replies = alone ? none() : await lateReplies(state, given)
    const messages =
      alone || given.busy ? none() : await messagesAfter(state, given, (id) => id <= heard || id === stop?.id)
    return {
      contents: { ...messages.contents, ...replies.contents, stop: stop?.id },
      earlier: [...replies.said, ...messages.said].sort((a, b) => (a.id < b.id ? -1 : 1)),
      interrupted: stop?.text,
    }
  }

  /** Of a conversation whose agent somebody drives: a stop that it has not been given, and nothing else. */
  async function stop(state: Conversation, { withdrawn }: Wanted): Promise<Unread> {
    const found = await stopFor(state, { replies: [], awaited: [] }, withdrawn)
    return { contents: { replies: [] }, earlier: [], interrupted: found?.text }
  }

  async function stopFor({ stop }: Conversation, given: Given, withdrawn: string | undefined) {
    if (!stop) return undefined
    const isNew = stop.last > later(given.stop, stop.read)
    const meansThis = withdrawn !== undefined && stop.last > later(withdrawn, stop.read)
    const found = isNew || meansThis ? await entry(stop.last) : undefined
    return found?.body.kind === 'message' ? { id: found.id, text: found.body.text } : undefined
  }

  async function messagesAfter({ id, messages }: Conversation, given: Given, isHeard: (stop: string) => boolean) {
    const budget = createBudget()
    const said: Undelivered[] = []
    let messages_to: string | undefined
    for (let after = later(given.messages_to, messages.read); after < messages.last; ) {
      const page = await amended((await views.read({ conversation: id, after, limit: PAGE })) as Entry[])
      for (const entry of page) {
        const message = isOver(entry) ? undefined : messageIn(entry, isHeard)
        if (message && !budget.takes(message.text)) return { said, contents: { messages_to } }
        if (message) said.push({ ...message, in_reply_to: await beginning(entry) })
        if (entry.body.kind === 'message' && entry.body.author === 'user') messages_to = entry.id
      }
      after = page.at(-1)?.id ?? messages.last
    }
    return { said, contents: { messages_to } }
  }

  /** It tells of a call whose caller knows by now. */
  function isOver({ body }: Entry): boolean {
    return body.kind === 'message' && body.call_id !== undefined && !isOwed(body.call_id)
  }

  /** Those that are only counted come first, a page with each call, because they are older. */
  async function lateReplies(state: Conversation, given: Given) {
    const older = given.busy ? undefined : await olderReplies(state, given)
    if (older && (older.said.length > 0 || !older.isAll)) return older
    const late = state.replies.recent.filter(({ question, settlement }) => !isTaken(question, settlement, given))
    const found = await Promise.all(late.map(async ({ settlement }) => replyIn(await entry(settlement))))
    const budget = createBudget()
    const end = found.findIndex((reply) => reply && !budget.takes(reply.text))
    const said = (end < 0 ? found : found.slice(0, end)).filter((reply) => reply !== undefined)
    return { said, contents: { ...older?.contents, replies: said.map(({ id }) => id) } }
  }

  /** Up to the first that is on its way, because none may be passed over. */
  async function olderReplies({ id: conversation, replies }: Conversation, given: Given) {
    if (!replies.older) return undefined
    const { from, to } = replies.older
    const read = replies.gaps ? await readSince(conversation, from) : new Set()
    const budget = createBudget()
    const said: Undelivered[] = []
    let replies_to: string | undefined
    for (let after = later(idBefore(from), given.replies_to); after < to; ) {
      const page = (await views.read({ conversation, after, limit: PAGE })) as Entry[]
      for (const entry of page.filter(({ id }) => id <= to && !read.has(id))) {
        if (!isSettlement(entry)) continue
        if (isTaken(entry.body.question, entry.id, given)) return filled()
        const reply = await replyIn(entry)
        if (reply && !budget.takes(reply.text)) return filled()
        if (reply) said.push(reply)
        replies_to = entry.id
      }
      after = page.at(-1)?.id ?? to
    }
    replies_to = to
    return filled()

    function filled() {
      return { said, isAll: replies_to === to, contents: { replies: said.map(({ id }) => id), replies_to } }
    }
  }

  /** The replies that were read by name, from one on. */
  async function readSince(conversation: string, from: string): Promise<Set<string>> {
    const read = new Set<string>()
    for (let after = from; ; ) {
      const page = (await views.read({ conversation, after, limit: PAGE })) as Entry[]
      for (const { body } of page)
        if (body.kind === 'receipt' && body.state === 'read') for (const reply of body.replies ?? []) read.add(reply)
      if (page.length === 0) return read
      after = page.at(-1)?.id ?? after
    }
  }

  /** A call waits for it or has it: it is that call's. */
  function isTaken(question: string, settlement: string, given: Given): boolean {
    return isAwaited(question) || given.awaited.includes(question) || given.replies.includes(settlement)
  }

  async function replyIn(found: Entry | undefined): Promise<Undelivered | undefined> {
    if (found?.body.kind !== 'settlement' || found.body.reply === undefined) return undefined
    const { question, reply: text, attachments } = found.body
    const asked = await entry(question)
    const in_reply_to = asked?.body.kind === 'question' ? asked.body.text : undefined
    return { id: found.id, text, attachments, at: found.at, in_reply_to }
  }
}

/** The words of a stop that the agent has heard, or is told with this answer, are no message besides. */
function messageIn({ id, at, body }: Entry, isHeard: (stop: string) => boolean): Undelivered | undefined {
  if (body.kind !== 'message' || body.author !== 'user' || (body.interrupt && isHeard(id))) return undefined
  if (body.revised === 'taken_back') return undefined
  return { id, text: body.text, attachments: body.attachments, at }
}

/** One is always taken, however long it is. */
function createBudget() {
  let count = 0
  let length = 0
  return {
    takes(text: string): boolean {
      count++
      length += text.length
      return count === 1 || (count <= MOST && length <= MOST_LENGTH)
    },
  }
}

function none() {
  return { said: [], contents: { replies: [] as string[] } }
}
