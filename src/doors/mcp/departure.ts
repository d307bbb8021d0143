import type { JSONRPCMessage, RequestId, Server } from '@modelcontextprotocol/server'
import type { Carried, DeliveredIds } from '../../protocol/frames/delivered-ids.ts'
import type { CallContext } from './short-way.ts'

export type Departure = ReturnType<typeof createDeparture>

/** Called in the moment before an answer is sent; it tells the departure when the answer leaves. */
export type Way = (departure: Departure, answer: JSONRPCMessage) => void
export type WayOf = (context: CallContext) => Way

/** What an answer brings its agent. Not everything has ids. */
export interface Brought {
  deliveredIds: DeliveredIds[]
  isEmpty: boolean
}

export interface DepartureParts {
  /** How answers leave; absent where they have left once they are sent. */
  wayOf?: WayOf
  /** Called with what is in an answer, in the moment before it is sent. */
  leaves?(id: RequestId, brought: Brought): void
}

/**
 * Some clients cancel what they have long had, when what they called it for is over. A line passes no such cancel on.
 */
const CROSSING_MS = 5000
/** The number of answers whose contents are remembered. */
const MOST_ANSWERED = 64
const CANCELLED = 'notifications/cancelled'

interface Prepared {
  departure: Departure
  way?: Way
  /** The end of the call's signal means nothing any more. */
  release(): void
}

/**
 * The answers of one server, from the tool to the end of the wire. Where they go no way of their own, an answer has
 * left when the transport has sent it.
 */
export function createDepartures(server: Server, { wayOf, leaves }: DepartureParts = {}) {
  const prepared = new Map<RequestId, Prepared>()
  /** The last answers that carried something. */
  const answered = new Map<RequestId, { departure: Departure; at: number; hasDeliveredIds: boolean }>()
  const connect = server.connect.bind(server)
  // That an answer is sent is seen only here: the SDK drops it when it is cancelled between its tool and this.
  server.connect = async (transport) => {
    const send = transport.send.bind(transport)
    transport.send = (message, options) => depart(message, () => send(message, options))
    await connect(transport)
    const hear = transport.onmessage
    transport.onmessage = (message, extra) => {
      if ('method' in message && message.method === CANCELLED && !('id' in message))
        crossed(message.params?.requestId as RequestId)
      hear?.(message, extra)
    }
  }
  return { prepare, depart }

  /** A cancel that was on its way when its answer was: whoever sent it has let the answer fall. */
  function crossed(id: RequestId) {
    const { departure, at = 0, hasDeliveredIds } = answered.get(id) ?? {}
    answered.delete(id)
    // A line does not know whether its client has long had an answer without delivered ids.
    const isCrossing = (hasDeliveredIds && !wayOf) || performance.now() - at < CROSSING_MS
    // A line passes on no answer whose cancel it has heard; over HTTP it may still arrive.
    if (departure && !wayOf && !departure.isEmpty()) departure.cancel()
    else if (departure && isCrossing) departure.miss()
  }

  function prepare(context: CallContext): Departure {
    const { id, signal } = context.mcpReq
    const departure = createDeparture()
    signal.addEventListener('abort', cancelled)
    prepared.set(id, { departure, way: wayOf?.(context), release })
    return departure

    function cancelled() {
      prepared.delete(id)
      departure.cancel()
    }

    function release() {
      signal.removeEventListener('abort', cancelled)
    }
  }

  function depart(message: JSONRPCMessage, send: () => Promise<void>): Promise<void> {
    const leaving = answerIn(message)
    if (!leaving) return send()
    const { departure, way, release } = leaving
    // Over HTTP the connection tells from here on: the signal of a 2026-era call is aborted after its answer, too.
    if (way) release()
    way?.(departure, message)
    const { id } = message as { id: RequestId }
    leaves?.(id, { deliveredIds: departure.deliveredIds(), isEmpty: departure.isEmpty() })
    remember(id, departure)
    const sent = send()
    // Nobody has to hear what became of an answer that brings nothing.
    if (!way && departure.isEmpty()) departure.cancel()
    else if (!way) departure.leave(sent.then(yes, no))
    // The transport may know no stream for it any more.
    if (way || !departure.isEmpty()) sent.catch(departure.cancel)
    return sent
  }

  function remember(id: RequestId, departure: Departure) {
    answered.delete(id)
    if (departure.isEmpty()) return
    answered.set(id, { departure, at: performance.now(), hasDeliveredIds: departure.deliveredIds().length > 0 })
    const [oldest] = answered.keys()
    if (answered.size > MOST_ANSWERED && oldest !== undefined) answered.delete(oldest)
  }

  function answerIn(message: JSONRPCMessage): Prepared | undefined {
    if ('method' in message || message.id === undefined) return undefined
    const leaving = prepared.get(message.id)
    prepared.delete(message.id)
    return leaving
  }
}

function createDeparture() {
  let aboard: Carried[] = []
  let left = false
  let cameBack = false
  let arrived: Carried[] = []
  let isMissed = false
  return {
    carry,
    leave,
    cancel,
    miss,
    deliveredIds: () => aboard.flatMap(({ deliveredIds }) => deliveredIds ?? []),
    isEmpty,
  }

  function isEmpty(): boolean {
    return aboard.length === 0
  }

  /** Takes what the answer holds along; too late when the answer has gone without it. */
  function carry(delivery: Carried) {
    if (left) delivery.returned()
    else aboard.push(delivery)
  }

  /** Called again when the same answer leaves once more, over another connection. */
  function leave(written: Promise<boolean>) {
    left = true
    void written.then((whole) => {
      if (whole) arrive()
      else comeBack()
    })
  }

  function arrive() {
    const deliveries = unload()
    for (const delivery of deliveries) delivery.arrived()
    arrived.push(...deliveries)
    if (isMissed) miss()
  }

  /** This counts also when it arrives only afterwards. */
  function miss() {
    isMissed = true
    for (const delivery of arrived) delivery.missed()
    arrived = []
  }

  /** Nothing of it will ever leave. */
  function cancel() {
    left = true
    comeBack()
    unload()
  }

  function comeBack() {
    if (!cameBack) for (const delivery of aboard) delivery.returned()
    cameBack = true
  }

  function unload(): Carried[] {
    const deliveries = aboard
    aboard = []
    return deliveries
  }
}

function yes() {
  return true
}

function no() {
  return false
}
