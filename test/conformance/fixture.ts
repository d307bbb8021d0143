import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import type { Server } from '@modelcontextprotocol/server'
import { guardOf } from '../../src/doors/http/guard.ts'
import { createRefusals } from '../../src/doors/http/refusals.ts'
import { requestContextOf } from '../../src/doors/http/request-context.ts'
import { createMcpEndpoint } from '../../src/doors/mcp/http/endpoint.ts'
import type { Visit } from '../../src/doors/mcp/visit.ts'
import { SAME_CALLER } from '../support/mcp/same-caller.ts'
import { buildTestServer } from './server.ts'

/** The suite's own server behind Parley's guard and MCP endpoint. */
export async function openFixture() {
  const endpoint = createMcpEndpoint({ build, requestLimitBytes: 1024 * 1024, idleMs: 60_000 })
  const refuse = createRefusals({ refused() {}, report: console.error })
  const serve = getRequestListener((request, env) => {
    const exchange = requestContextOf((env as HttpBindings).outgoing as ServerResponse, SAME_CALLER)
    return endpoint.fetch(request, { id: 'suite', name: 'suite', role: 'agent' }, exchange).catch(refuse.call)
  })
  const guard = guardOf('127.0.0.1')
  const server = createServer((request, response) => {
    try {
      guard(request)
    } catch (error) {
      return refuse.request(response, error)
    }
    void serve(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, close }

  async function close() {
    await endpoint.close()
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}

/** The SDK compares arguments with the headers that repeat them only when it is given the whole server. */
function build({ session }: Visit): Server {
  const mcp = buildTestServer()
  return session ? mcp.server : (mcp as unknown as Server)
}
