import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

const EVENTS_KEPT = 200
// The name the SDK gives to the stream that a GET opens.
const GET_STREAM = '_GET_stream'
/** Resuming from here brings what was sent to the session before it had a stream. */
export const FROM_START = '0'

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
      return streamOf(id)
    },
    async replayEventsAfter(lastId, { send }) {
      const stream = streamOf(lastId)
      if (stream === undefined) return ''
      for (const [id, event] of [...events])
        if (event.stream === stream && Number(id) > Number(lastId)) await send(id, event.message)
      return stream
    },
  }

  function streamOf(id: string): string | undefined {
    return id === FROM_START ? GET_STREAM : events.get(id)?.stream
  }
}
