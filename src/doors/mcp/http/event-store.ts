import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { jsonBytes } from '../../../protocol/text/json-bytes.ts'

const MIB = 1024 * 1024
// The name the SDK gives to the stream that a GET opens.
const GET_STREAM = '_GET_stream'
// Ends the ids of its events: it can be resumed from any of them, kept or not, because nothing depends on what is in
// it.
const OF_GET_STREAM = 'g'
/** Resuming from here brings what was sent to the session before it had a stream. */
export const FROM_START = `0${OF_GET_STREAM}`

export interface EventLimits {
  /** How many events one session keeps. */
  events?: number
  /** How much one session keeps, counted as JSON. */
  sessionBytes?: number
  /** How much all sessions keep together. */
  totalBytes?: number
}

export type EventStores = ReturnType<typeof createEventStores>
export type SessionEvents = ReturnType<EventStores['open']>

interface KeptEvent {
  stream: string
  message: JSONRPCMessage
  drop(): void
}

/** What sessions were sent lately, so that a client whose stream broke gets the rest when it resumes. */
export function createEventStores({
  events: mostEvents = 200,
  // Room for one answer with all the files that come beside it, or for many without.
  sessionBytes = 8 * MIB,
  totalBytes = 32 * MIB,
}: EventLimits = {}) {
  // Oldest first.
  const all = new Set<KeptEvent>()
  let total = 0
  return { open, bytes: () => total }

  function open() {
    const events = new Map<string, KeptEvent>()
    let count = 0
    let bytes = 0
    let closed = false
    return { keep, streamOf, after, close }

    /** The id of the event. One that is too large has an id too, and is not kept. */
    function keep(stream: string, message: JSONRPCMessage): string {
      const id = `${++count}${stream === GET_STREAM ? OF_GET_STREAM : ''}`
      const size = jsonBytes(message)
      if (closed || size > sessionBytes) return id
      const event = { stream, message, drop }
      events.set(id, event)
      all.add(event)
      bytes += size
      total += size
      dropWhile(events.values(), () => events.size > mostEvents || bytes > sessionBytes)
      dropWhile(all, () => total > totalBytes)
      return id

      function drop() {
        events.delete(id)
        all.delete(event)
        bytes -= size
        total -= size
      }
    }

    function streamOf(id: string): string | undefined {
      return id.endsWith(OF_GET_STREAM) ? GET_STREAM : events.get(id)?.stream
    }

    /** The events after this one in its stream, also those that are kept while this is read. */
    function* after(last: string): Generator<[id: string, message: JSONRPCMessage]> {
      const stream = streamOf(last)
      for (const [id, event] of events)
        if (event.stream === stream && numberOf(id) > numberOf(last)) yield [id, event.message]
    }

    function close() {
      closed = true
      dropWhile(events.values(), () => true)
    }
  }
}

function dropWhile(events: Iterable<KeptEvent>, tooMuch: () => boolean) {
  for (const event of events) {
    if (!tooMuch()) return
    event.drop()
  }
}

function numberOf(id: string): number {
  return Number.parseInt(id, 10)
}
