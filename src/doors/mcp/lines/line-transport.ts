import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'
import { ParleyError } from '../../../protocol/errors.ts'
import type { DeliveredIds, FromHub } from '../../../protocol/frames/link.ts'
import type { Repeated } from '../surface.ts'

interface Sending {
  resolve(): void
  reject(error: Error): void
}

interface LineTransportParts {
  write(frame: FromHub): void
  /** Sends what may be shortened. */
  notify(mcp: Record<string, unknown>): void
}

/** MCP between one agent and its server in the hub. An answer has left when the line says that its client has it. */
export function createLineTransport({ write, notify }: LineTransportParts) {
  const requests = new Map<RequestId, Repeated>()
  const underway = new Map<string, Sending>()
  const delivered = new Map<RequestId, DeliveredIds[]>()
  let closed = false
  const transport: Transport = { start: async () => {}, send, close }
  const calls = {
    repeatOf: (id: RequestId) => requests.get(id),
    isCutOff: () => closed,
    deliveredIdsOf: (id: RequestId, those: DeliveredIds[]) => void delivered.set(id, those),
  }
  return { transport, calls, receive, got, close }

  function receive(message: JSONRPCMessage, repeat: Repeated) {
    if ('method' in message && 'id' in message) requests.set(message.id as RequestId, repeat)
    transport.onmessage?.(message)
  }

  function send(message: JSONRPCMessage): Promise<void> {
    if (closed) return Promise.reject(gone())
    const mcp = message as unknown as Record<string, unknown>
    if ('method' in message || message.id === undefined) {
      if ('id' in message) write({ mcp })
      else notify(mcp)
      return Promise.resolve()
    }
    const { key } = requests.get(message.id) ?? {}
    write({ slips: delivered.get(message.id), mcp })
    requests.delete(message.id)
    delivered.delete(message.id)
    if (key === undefined) return Promise.resolve()
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
  }
}

function gone() {
  return new ParleyError('cancelled')
}
