import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { ERRORS, ParleyError } from '../protocol/errors.ts'
import { guard } from './guard.ts'
import { servePage } from './page.ts'

export interface HttpParts {
  host: string
  port: number
  pageFolder: string
  /** MCP, as a fetch handler; `caller` is who asks. */
  mcp(request: Request, caller: string): Promise<Response>
  /** Takes over a connection for WebSocket, or throws why not. */
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer, url: URL): void
  report(error: unknown): void
}

/** The one HTTP listener: the page, MCP, health, and the way to `/ws`. Everything passes the guard first. */
export async function listen({ host, port: wanted, pageFolder, mcp, upgrade, report }: HttpParts) {
  const page = servePage(pageFolder)
  const app = new Hono()
    .all('/mcp', ({ req }) => mcp(req.raw, 'local'))
    .get('/healthz', (context) => context.json({ name: 'parley', status: 'ok' }))
    .notFound(({ req }) => errorResponse(new ParleyError('not_found', { path: req.path })))
    .onError(errorResponse)
  const api = getRequestListener(app.fetch)

  const server = createServer((request, response) => {
    try {
      guard(request, port)
    } catch (error) {
      return refuse(response, error)
    }
    page(request, response, () => void api(request, response))
  })
  server.on('upgrade', (request, stream, head) => {
    stream.on('error', () => stream.destroy())
    try {
      guard(request, port)
      const url = new URL(request.url ?? '', 'http://localhost')
      if (url.pathname !== '/ws') throw new ParleyError('not_found', { path: url.pathname })
      upgrade(request, stream, head, url)
    } catch (error) {
      refuseUpgrade(stream, error)
    }
  })
  const { port } = await bind(server, host, wanted)
  return { port, close }

  function errorResponse(error: Error): Response {
    const known = asParleyError(error, report)
    const { http, rpc } = ERRORS[known.code]
    const body = { jsonrpc: '2.0', error: { code: rpc, message: known.message }, id: null }
    return Response.json(body, { status: http })
  }

  function refuse(response: ServerResponse, error: unknown) {
    const known = asParleyError(error, report)
    response.writeHead(ERRORS[known.code].http, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: known.message }))
  }

  function refuseUpgrade(stream: Duplex, error: unknown) {
    const known = asParleyError(error, report)
    const body = JSON.stringify({ error: known.message })
    stream.end(
      `HTTP/1.1 ${ERRORS[known.code].http} Refused\r\ncontent-type: application/json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    )
  }

  async function close() {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
}

function asParleyError(error: unknown, report: (error: unknown) => void): ParleyError {
  if (error instanceof ParleyError) return error
  report(error)
  return new ParleyError('internal')
}

function bind(server: ReturnType<typeof createServer>, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE' || error.code === 'EACCES'
      reject(taken ? new ParleyError('port_taken', { port }, error) : error)
    })
    server.listen(port, host, () => resolve(server.address() as AddressInfo))
  })
}
