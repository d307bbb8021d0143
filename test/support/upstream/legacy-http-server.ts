import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { onTestFinished } from 'vitest'

/** A server of the 2025 era by HTTP, as the first SDK makes them, and what headers it got. */
export async function startLegacyHttpServer() {
  const headers: IncomingHttpHeaders[] = []
  const transports = new Map<string, StreamableHTTPServerTransport>()
  const http = createServer(async (request, response) => {
    headers.push(request.headers)
    const session = request.headers['mcp-session-id']
    const transport = session === undefined ? await open() : transports.get(String(session))
    if (transport) await transport.handleRequest(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    headers,
    forget: () => transports.clear(),
  }

  async function open() {
    const server = new McpServer({ name: 'legacy', version: '1' })
    server.registerTool('hello', { description: 'Says hello' }, () => ({ content: [{ type: 'text', text: 'Hello!' }] }))
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
    })
    await server.connect(transport)
    return transport
  }
}
