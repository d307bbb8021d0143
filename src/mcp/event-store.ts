import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

const EVENTS_KEPT = 200
// Results may carry images, and a session must not hold hundreds of them.
const KEPT_BYTES = 16 * 1024 * 1024
// The name the SDK gives to the stream that a GET opens.
const GET_STREAM = '_GET_stream'
/** Resuming from here brings what was sent to the session before it had a stream. */
export const FROM_START = '0'

/** What one session was sent lately, so that a client whose stream broke gets the rest when it resumes. */
export function createEventStore(): EventStore {
  const events = new Map<string, { stream: string; message: JSONRPCMessage; bytes: number }>()
  let count = 0
  let kept = 0
  return {
    async storeEvent(stream, message) {
      const id = String(++count)
      const bytes = enclosedBytes(message)
      events.set(id, { stream, message, bytes })
      kept += bytes
      for (const [old] of events) {
        if (old === id || (events.size <= EVENTS_KEPT && kept <= KEPT_BYTES)) break
        kept -= events.get(old)?.bytes ?? 0
        events.delete(old)
      }
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

/** What counts of a message: the images and texts beside its answer. */
function enclosedBytes(message: JSONRPCMessage): number {
  const content = 'result' in message ? message.result.content : undefined
  if (!Array.isArray(content)) return 0
  return content.reduce((sum, { data, resource }) => sum + (data?.length ?? resource?.text?.length ?? 0), 0)
}
