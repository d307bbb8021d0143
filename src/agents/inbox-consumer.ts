import * as z from 'zod/mini'
import { catchUp } from '../client/catch-up.ts'
import { createQueue } from '../io/queue.ts'
import { DrivingEvent, EVENTS } from '../protocol/frames/driving.ts'
import { InboxMessage, inboxUri } from '../protocol/frames/inbox.ts'
import type { HubLink } from './hub-link.ts'
import type { Store } from './store.ts'
import { type UserText, userTextIn } from './user-text.ts'

const Messages = z.array(InboxMessage)

interface ConsumerParts {
  store: Store
  /** The only conversation there is for us; otherwise all that the hub shows. */
  conversation?: string
  /** Whether it is ours to give to an agent. */
  isOurs(message: InboxMessage): boolean
  /** They are in the store. */
  said(texts: UserText[]): void
  happened(event: DrivingEvent): void
  /** Called with conversations of which nothing is left at the hub. */
  forgotten(conversations: string[]): Promise<void>
  report(error: unknown): void
}

/** Turns what people say into user texts: each once, in order, whatever is lost on the way. */
export function createConsumer({ store, conversation, isOurs, said, happened, forgotten, report }: ConsumerParts) {
  const uri = inboxUri(conversation)
  let link: Pick<HubLink, 'call'> | undefined
  /** Set once everything was read over this connection: what it brings now follows without a gap. */
  let caughtUp = false
  let connections = 0
  const work = createQueue()
  return { uris: [uri, EVENTS], reconnected, updated, follow }

  /** Reads everything since the watermark, and from then on whatever is told. */
  async function follow(opened: Pick<HubLink, 'call'>) {
    link = opened
    reconnected()
    await work.idle()
  }

  function reconnected() {
    caughtUp = false
    connections++
    if (!link) return
    next(findForgotten)
    next(readInbox)
    next(readEvents)
  }

  function updated(changed: string, news: unknown) {
    // News that comes before we follow is read once we do.
    if (!link) return
    if (changed === EVENTS) next(Array.isArray(news) && news.length === 0 ? findForgotten : readEvents)
    if (changed !== uri) return
    const { data } = Messages.safeParse(news)
    next(async () => {
      if (data && caughtUp) await takeTold(data)
      else await readInbox()
    })
  }

  function next(act: () => Promise<void>) {
    work.add(act).catch(report)
  }

  async function takeTold(messages: InboxMessage[]) {
    const known = store.watermark(uri) ?? ''
    const news = messages.filter(({ id }) => id > known)
    const last = news.at(-1)
    if (last) await take(news, last.id)
  }

  async function readInbox() {
    const connection = connections
    const since = { after_id: store.watermark(uri), session_id: conversation }
    for await (const { messages, last_id } of catchUp({ callTool }, since)) await take(messages, last_id)
    caughtUp = connection === connections
  }

  /** Reads what was said before the conversation was ours: the watermark may be past it. */
  async function readWaiting(session_id: string) {
    for await (const { messages } of catchUp({ callTool }, { session_id })) await take(messages)
  }

  async function take(messages: InboxMessage[], last_id?: string) {
    const texts = messages.flatMap((message) => (isOurs(message) ? (userTextIn(message) ?? []) : []))
    await store.patiently(() => store.take(uri, texts, last_id))
    if (texts.length > 0) said(texts)
  }

  async function readEvents() {
    for (;;) {
      const after_id = store.watermark(EVENTS)
      const page = await called('read_events', { after_id, session_id: conversation })
      const { events, last_id, has_more } = page as { events: unknown[]; last_id: string; has_more: boolean }
      for (const told of events) {
        // Other news of a newer hub is not for us.
        const { data: event } = DrivingEvent.safeParse(told)
        if (event) happened(event)
        if (event?.type === 'wish' && event.waiting) await readWaiting(event.session_id)
      }
      if (last_id !== after_id) await store.patiently(() => store.pass(EVENTS, last_id))
      if (!has_more) return
    }
  }

  async function findForgotten() {
    const session_ids = store.conversations()
    if (session_ids.length === 0) return
    const { missing } = (await called('missing_conversations', { session_ids })) as { missing: string[] }
    if (missing.length > 0) await forgotten(missing)
  }

  async function callTool({ name, arguments: input }: { name: string; arguments: object }) {
    return { structuredContent: await called(name, input) }
  }

  async function called(name: string, input: object): Promise<Record<string, unknown>> {
    if (!link) throw new Error('There is no link yet')
    return link.call(name, input)
  }
}
