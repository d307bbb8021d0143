import { EventEmitter, once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { onTestFinished } from 'vitest'
import { requestContextOf } from '../../../src/doors/http/request-context.ts'
import { createMcpEndpoint } from '../../../src/doors/mcp/http/endpoint.ts'
import { createEventStores, type EventLimits } from '../../../src/doors/mcp/http/event-store.ts'
import { buildServer } from '../../../src/doors/mcp/surface.ts'
import { localPrincipal } from '../../../src/protocol/principal.ts'
import { createRecord, deliverySurface } from './deliveries.ts'
import { SAME_CALLER } from './same-caller.ts'

interface Options {
  limits?: EventLimits
  leaving?: Parameters<typeof deliverySurface>[1]
}

/** Parley's MCP endpoint behind a real listener, with a surface whose calls take deliveries along. */
export async function startDeliveryServer({ limits, leaving }: Options = {}) {
  const record = createRecord()
  const { surface, release } = deliverySurface(record.tell, leaving)
  const endpoint = createMcpEndpoint({
    build: ({ principal, calls }) => buildServer(surface, principal, calls),
    events: createEventStores(limits),
    requestLimitBytes: 1024 * 1024,
    idleMs: 60_000,
  })
  const serve = getRequestListener((request, env) => {
    const requestContext = requestContextOf((env as HttpBindings).outgoing as ServerResponse, SAME_CALLER)
    return endpoint.fetch(request, localPrincipal('agent'), requestContext)
  })
  const connections = new EventEmitter()
  const server = createServer((request, response) => {
    response.once('close', () => {
      if (!response.writableFinished) connections.emit('lost')
    })
    void serve(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(async () => {
    await endpoint.close()
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, record, release, endpoint, lost }

  /** Resolves once the listener has seen that a client broke off. */
  async function lost() {
    await once(connections, 'lost')
  }
}
