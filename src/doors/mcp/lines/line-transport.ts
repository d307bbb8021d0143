import { isJSONRPCRequest, type JSONRPCMessage, type RequestId, type Transport } from '@modelcontextprotocol/server'
import { ERRORS, ParleyError } from '../../../protocol/errors.ts'
import type { FromHub } from '../../../protocol/frames/link.ts'
import type { Brought } from '../departure.ts'
import type { Era } from '../era.ts'
import { LISTEN } from '../resources/listening.ts'
import { createShortWay, type ShortWay, type ShortWayParts } from '../short-way.ts'
import type { Repeated } from '../surface.ts'

const CANCELLED = 'notifications/cancelled'
/** The SDK decides nothing by it. */
const PROBE = 'server/discover'

interface Sending {
  resolve(): void
  reject(error: Error): void
}

interface LineTransportParts {
  write(frame: FromHub): void
  /** Sends what may be shortened. */
  notify(mcp: Record<string, unknown>): void
}

/**
 * MCP between one agent and its server in the hub. An answer that brings something has left when the line says that its
 * client has it.
 */
export function createLineTransport({ write, notify }: LineTransportParts) {
  const requests = new Map<RequestId, Repeated>()
  const underway = new Map<string, Sending>()
  const brought = new Map<RequestId, Brought>()
  /** The way past the SDK, and the requests that went its way and have no answer: no call overtakes those. */
  let shortWay: ShortWay | undefined
  const longWay = new Set<RequestId>()
  /** Before its first request a client of the 2026 era must not be heard: the SDK would take it for one of 2025, for good. */
  let hasAsked = false
  let closed = false
  const transport: Transport = { start: async () => {}, send, close }
  return { transport, callsIn, receive, got, close }

  function callsIn(era: Era) {
    return {
      repeatOf: (id: RequestId) => requests.get(id),
      isCutOff: () => closed,
      leaves: (id: RequestId, those: Brought) => void brought.set(id, those),
      offers: (parts: ShortWayParts) => {
        shortWay = createShortWay(parts, era, (message) => transport.send(message))
      },
    }
  }

  function receive(message: JSONRPCMessage, repeat: Repeated) {
    const isRequest = 'method' in message && 'id' in message
    if (isRequest) requests.set(message.id as RequestId, repeat)
    if (longWay.size === 0 && shortWay?.takes(message)) return shortWay.take(message)
    if (isRequest) {
      if (!isJSONRPCRequest(message)) return refuse(message)
      // A subscription is answered only at its end.
      if (shortWay && message.method !== LISTEN) longWay.add(message.id)
      if (message.method !== PROBE) hasAsked = true
    }
    if (isRequest || !('method' in message)) return transport.onmessage?.(message)
    if (message.method !== CANCELLED) return notified(message)
    // Whatever else is odd about it, it ends its call on both ways: the SDK would drop it, and the call would go on.
    const requestId = message.params?.requestId as RequestId
    notified({ jsonrpc: '2.0', method: CANCELLED, params: { requestId } })
    cancel(requestId)
  }

  /** What comes first may be about a call that the hub before had. */
  function notified(message: JSONRPCMessage) {
    if (hasAsked) transport.onmessage?.(message)
  }

  /** The SDK would drop it, and its client would wait. */
  function refuse({ id }: { id?: unknown }) {
    const error = { code: ERRORS.no_rpc.rpc, message: ERRORS.no_rpc.text }
    // A line that is gone needs no answer.
    transport.send({ jsonrpc: '2.0', id: id as RequestId, error }).catch(() => {})
  }

  function cancel(id: RequestId) {
    longWay.delete(id)
    shortWay?.cancel(id)
    const cancelled = requests.get(id)
    // The SDK may not have begun what it is to end. The id may be that of another call by then.
    setImmediate(() => {
      if (requests.get(id) === cancelled) requests.delete(id)
    })
  }

  function send(message: JSONRPCMessage): Promise<void> {
    if (closed) return Promise.reject(gone())
    const mcp = message as unknown as Record<string, unknown>
    if ('method' in message || message.id === undefined) {
      if ('id' in message) write({ mcp })
      else notify(mcp)
      return Promise.resolve()
    }
    longWay.delete(message.id)
    const { key } = requests.get(message.id) ?? {}
    const { deliveredIds, isEmpty = true } = brought.get(message.id) ?? {}
    // Without it the line does not tell that the answer has arrived.
    write({ slips: isEmpty ? undefined : deliveredIds, mcp })
    requests.delete(message.id)
    brought.delete(message.id)
    // Whether it arrives matters to nobody, and a line may never say so.
    if (key === undefined || isEmpty) return Promise.resolve()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    underway.set(key, { resolve, reject })
    return promise
  }

  /** The client has the answer to the request with this key. */
  function got(key: string) {
    underway.get(key)?.resolve()
    underway.delete(key)
  }

  async function close() {
    if (closed) return
    closed = true
    for (const { reject } of underway.values()) reject(gone())
    transport.onclose?.()
    shortWay?.close()
  }
}

function gone() {
  return new ParleyError('cancelled')
}
