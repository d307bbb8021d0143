import type { Views } from '../log/views.ts'
import type { Entry } from '../protocol/entry.ts'
import type { Conversation } from '../protocol/fold.ts'
import { createBudget } from './budget.ts'
import type { CallLedger } from './call-ledger.ts'
import { createLateReplies, type LateReplies } from './late-replies.ts'
import { later } from './later.ts'
import type { Contents, Given, Undelivered } from './undelivered.ts'

export interface Wanted {
  /** What the agent calls itself, where that is known. */
  agent?: string
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

export type Owed = Pick<CallLedger, 'isOwedTo' | 'tidings'>

interface UnreadParts {
  views: Pick<Views, 'read'>
  /** The entries as they are to be read. */
  amended(entries: Entry[]): Promise<Entry[]>
  /** How the entry begins that a message answers. */
  beginning(message: Entry): Promise<string | undefined>
  entry(id: string): Promise<Entry | undefined>
  /** A live call waits for it: its reply is that call's, and nobody's earlier message. */
  isAwaited(question: string): boolean
  /** The calls of mounted tools whose callers have not been told yet what became of them. */
  owed(): Owed
}

const PAGE = 1000

/** Reads what the person said and nobody has proven to have, oldest first. */
export function createUnread({ views, amended, beginning, entry, isAwaited, owed }: UnreadParts) {
  return { of, stop }

  /** For one agent of a principal: what people say is for all of them, replies are for whoever asked. */
  function of(asker: string) {
    const replies = createLateReplies({ views, entry, isAwaited, asker })
    const of = { asker, replies }
    return { take: (state: Conversation, given: Given, wanted: Wanted) => take(state, given, wanted, of) }
  }

  async function take(
    state: Conversation,
    given: Given,
    { alone, withdrawn, agent }: Wanted,
    { asker, replies: lateReplies }: { asker: string; replies: LateReplies },
  ): Promise<Unread> {
    const stop = await stopFor(state, given, withdrawn)
    const heard = later(given.stop, state.stop?.read)
    const replies = alone ? none() : await lateReplies(state, given, agent)
    const messages =
      alone || given.busy ? none() : await messagesAfter(state, given, asker, (id) => id <= heard || id === stop?.id)
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

  async function messagesAfter(
    { id, messages }: Conversation,
    given: Given,
    asker: string,
    isHeard: (stop: string) => boolean,
  ) {
    const budget = createBudget()
    const said: Undelivered[] = []
    let messages_to: string | undefined
    const read = later(given.messages_to, messages.read)
    // Another agent may have read past what was for this one.
    const passed = owed()
      .tidings(id, asker)
      .filter((message) => message <= read && message > later(given.messages_to))
    for (const found of await Promise.all(passed.map(entry))) {
      const message = found && messageIn(found, isHeard)
      if (message) said.push(message)
      messages_to = later(messages_to, found?.id)
    }
    for (let after = read; after < messages.last; ) {
      const page = await amended((await views.read({ conversation: id, after, limit: PAGE })) as Entry[])
      for (const entry of page) {
        const message = isOver(entry, asker) ? undefined : messageIn(entry, isHeard)
        if (message && !budget.takes(message.text)) return { said, contents: { messages_to } }
        if (message) said.push({ ...message, in_reply_to: await beginning(entry) })
        if (entry.body.kind === 'message' && entry.body.author === 'user') messages_to = entry.id
      }
      after = page.at(-1)?.id ?? messages.last
    }
    return { said, contents: { messages_to } }
  }

  /** It tells of a call whose caller knows by now, or of somebody else's. */
  function isOver({ body }: Entry, asker: string): boolean {
    return body.kind === 'message' && body.call_id !== undefined && !owed().isOwedTo(body.call_id, asker)
  }
}

/** The words of a stop that the agent has heard, or is told with this answer, are no message besides. */
function messageIn({ id, at, body }: Entry, isHeard: (stop: string) => boolean): Undelivered | undefined {
  if (body.kind !== 'message' || body.author !== 'user' || (body.interrupt && isHeard(id))) return undefined
  if (body.revised === 'taken_back') return undefined
  return { id, text: body.text, attachments: body.attachments, at }
}

function none() {
  return { said: [], contents: { replies: [] as string[] } }
}
