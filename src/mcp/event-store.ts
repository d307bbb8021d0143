import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

const EVENTS_KEPT = 200

/** What one session was sent lately, so that a client whose stream broke gets the rest when it resumes. */
export function createEventStore(): EventStore {
  const events = new Map<string, { stream: string; message: JSONRPCMessage }>()
  let count = 0
  return {
    async storeEvent(stream, message) {
      const id = String(++count)
      events.set(id, { stream, message })
      events.delete(String(count - EVENTS_KEPT))
      return id
    },
    async getStreamIdForEventId(id) {
      return events.get(id)?.stream
    },
    async replayEventsAfter(lastId, { send }) {
      const stream = events.get(lastId)?.stream
      if (stream === undefined) return ''
      for (const [id, event] of [...events])
        if (event.stream === stream && Number(id) > Number(lastId)) await send(id, event.message)
      return stream
    },
  }
}
