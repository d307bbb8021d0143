import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'
import type { RequestContext } from '../../http/request-context.ts'
import type { Departure, Way } from '../departure.ts'
import type { SessionEvents } from './event-store.ts'

/** The streams of one 2025-era session. A client whose connection broke resumes them over another one. */
export function createResumption(events: SessionEvents) {
  // What is known of an answer lives as long as the answer itself.
  const answers = new WeakMap<JSONRPCMessage, { departure: Departure; asked: RequestContext }>()
  const resumed = new Map<string, RequestContext>()
  const eventStore: EventStore = {
    storeEvent,
    getStreamIdForEventId: async (id) => events.streamOf(id),
    replayEventsAfter,
  }
  return { eventStore, answerTo, resume, close: events.close }

  /** The way of the answer to a request, which is the last event of its stream. */
  function answerTo(asked: RequestContext): Way {
    return (departure, answer) => answers.set(answer, { departure, asked })
  }

  async function storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const answer = answers.get(message)
    answer?.departure.leave((resumed.get(stream) ?? answer.asked).finished)
    return events.keep(stream, message)
  }

  async function replayEventsAfter(last: string, { send }: Parameters<EventStore['replayEventsAfter']>[1]) {
    const stream = events.streamOf(last) ?? ''
    for (const [id, message] of events.after(last)) await send(id, message)
    return stream
  }

  /** This request has been sent what the stream holds after an event, and will be sent the rest. */
  function resume(last: string, requestContext: RequestContext) {
    const stream = events.streamOf(last) ?? ''
    resumed.set(stream, requestContext)
    void requestContext.finished.then(() => {
      if (resumed.get(stream) === requestContext) resumed.delete(stream)
    })
    for (const [, message] of events.after(last)) answers.get(message)?.departure.leave(requestContext.finished)
  }
}
