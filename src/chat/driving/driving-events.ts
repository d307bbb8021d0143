import { createEmitter } from '../../io/emitter.ts'
import { createQueue } from '../../io/queue.ts'
import { inWords } from '../../protocol/entries/attachment.ts'
import { AFTER_ALL, BEFORE_ALL, type Entry } from '../../protocol/entries/entry.ts'
import { later } from '../../protocol/entries/later.ts'
import type { DrivingEvent } from '../../protocol/frames/driving.ts'
import { ANSWER_BYTES } from '../../protocol/frames/inbox.ts'
import type { ChatService } from '../chat-service.ts'
import { twice } from '../conversation/steady.ts'
import { createGathering } from '../inbox/gathering.ts'
import { isAborted, ownOutcome } from '../questions/own-outcome.ts'

export type DrivingEvents = ReturnType<typeof openDrivingEvents>

interface EventsPage {
  events: DrivingEvent[]
  /** The id to go on from. */
  last_id: string
  has_more: boolean
}

interface DrivingEventsParts {
  service: Pick<ChatService, 'page' | 'last' | 'lastSaid' | 'follow' | 'entry'>
  report(error: unknown): void
}

// Pages are as small as in the inbox: nobody ever holds many long entries for one answer.
const PAGE = 64
/** Entries that one answer looks through at the most; few of them are events. */
const LOOKED_THROUGH = 2048
const NEWEST = 100

/** Events for drivers besides messages: how questions ended, and changes of run settings. */
export function openDrivingEvents({ service, report }: DrivingEventsParts) {
  const happened = createEmitter<[events: DrivingEvent[]]>()
  const { gather, forgotten } = createGathering(tell)
  const told = createQueue()
  let following: { close(): void } | undefined
  let closed = false
  follow().catch(report)
  return { newest, readSince, onEvents: happened.on, close }

  /** The newest events, oldest first, among the newest entries. `last_id` is up to where everything was looked at. */
  async function newest(conversation?: string): Promise<Omit<EventsPage, 'has_more'>> {
    const { at: last_id } = await service.lastSaid(conversation)
    const events: DrivingEvent[] = []
    let before = AFTER_ALL
    for (let looked = 0; looked < LOOKED_THROUGH; looked += PAGE) {
      const { entries, has_older } = await service.page(conversation, { before, limit: PAGE })
      events.unshift(...(await eventsOf(entries.filter(({ id }) => id <= last_id))))
      if (!has_older || events.length >= NEWEST) break
      before = entries[0]?.id ?? BEFORE_ALL
    }
    return { last_id, events: events.slice(-NEWEST) }
  }

  /** The first events after the id, as many as fit; `last_id` is past everything that was looked at. */
  async function readSince(conversation: string | undefined, after: string, limit = Infinity): Promise<EventsPage> {
    const { at } = await service.lastSaid(conversation)
    const events: DrivingEvent[] = []
    let [from, bytes] = [after, 0]
    for (let looked = 0; from < at && looked < LOOKED_THROUGH; looked += PAGE) {
      const { entries } = await service.page(conversation, { after: from, limit: PAGE })
      for (const event of await eventsOf(entries)) {
        bytes += Buffer.byteLength(JSON.stringify(event))
        if (events.length === limit || (events.length > 0 && bytes > ANSWER_BYTES))
          return { events, last_id: events.at(-1)?.id ?? after, has_more: true }
        events.push(event)
      }
      from = entries.at(-1)?.id ?? at
    }
    return { events, last_id: later(after, from), has_more: from < at }
  }

  async function follow() {
    const after = await twice(service.last, report)
    if (!closed) following = service.follow({ after }, { entries: hear, forgotten: forget, failed: report })
  }

  function hear(entries: Entry[]) {
    if (happened.isHeard()) gather(entries.filter(mayBeEvent))
  }

  function forget(conversation: string) {
    forgotten(conversation)
    // That there are others now is all that can be said of it.
    happened.emit([])
  }

  function tell(entries: Entry[]) {
    told
      .add(async () => {
        const events = await eventsOf(entries)
        if (!closed && events.length > 0) happened.emit(events)
      })
      .catch(report)
  }

  async function eventsOf(entries: Entry[]): Promise<DrivingEvent[]> {
    const events = await Promise.all(entries.filter(mayBeEvent).map(eventOf))
    return events.filter((event) => event !== undefined)
  }

  async function eventOf({ id, conversation: session_id, body }: Entry): Promise<DrivingEvent | undefined> {
    const common = { id, session_id }
    if (body.kind === 'wish') {
      const { kind, by: _, ...runSettings } = body
      return { type: kind, ...common, ...runSettings }
    }
    const own = ownOutcome(id, body)
    if (own && 'driven' in body && body.driven) {
      const { outcome, reason } = own
      return { type: 'settled', ...common, question_id: id, outcome, reason, ...(isAborted(own) && { abort: true }) }
    }
    if (own || body.kind === 'tool_result') return { type: 'aborted', ...common }
    if (body.kind !== 'settlement') return undefined
    const asked = await service.entry(body.question)
    const abort = isAborted(body) && ({ abort: true } as const)
    if (asked?.body.kind !== 'question' || !asked.body.driven) return abort ? { type: 'aborted', ...common } : undefined
    const { question: question_id, outcome, reply, attachments, choices, input, reason, option } = body
    const words = reply === undefined ? {} : { reply: inWords(reply, attachments) }
    return { type: 'settled', ...common, question_id, outcome, ...words, choices, input, reason, option, ...abort }
  }

  function close() {
    closed = true
    following?.close()
    happened.close()
  }
}

function mayBeEvent({ body }: Entry): boolean {
  switch (body.kind) {
    case 'permitted_call':
      return body.driven === true
    case 'refused_call':
      return body.driven === true || isAborted(body)
    case 'tool_result':
      return isAborted(body)
    default:
      return body.kind === 'settlement' || body.kind === 'wish'
  }
}
