import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createMcpHandler, McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Era } from '../agent.ts'
import type { OAuthServer } from './oauth-server.ts'

export type ProtectedServer = Awaited<ReturnType<typeof startProtectedServer>>

/** An MCP server at an address that wants a token of an OAuth server; `admin` wants one with more rights. */
export async function startProtectedServer({ issuer, tokens }: OAuthServer, era: Era = 'modern') {
  /** What of the way in is other than usual. */
  const manners = { resource: '', servers: [issuer] }
  const refused: number[] = []
  /** Which tokens it was shown. */
  const shown: string[] = []
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const modern = createMcpHandler(() => built(''))
  const http = createServer(getRequestListener(answer))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const url = `${origin}/mcp`
  const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`
  return { url, manners, refused, shown, close }

  async function answer(request: Request): Promise<Response> {
    if (request.url === metadata)
      return Response.json({
        resource: manners.resource || url,
        authorization_servers: manners.servers,
        scopes_supported: ['read'],
      })
    if (request.url !== url) return new Response('Not found', { status: 404 })
    const token = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
    shown.push(token)
    const scope = tokens.get(token)
    if (scope === undefined) return refuse(401, `scope="read"`, token)
    const text = await request.clone().text()
    if (text.includes('"admin"') && !scope.split(' ').includes('write'))
      return refuse(403, 'error="insufficient_scope", scope="write"', token)
    return era === 'modern' ? modern.fetch(request) : inSession(request, token)
  }

  /** It says again what it was shown, as bad servers do. */
  function refuse(status: number, why: string, token: string): Response {
    refused.push(status)
    const challenge = `Bearer ${why}, resource_metadata="${metadata}"`
    return new Response(`Not with "${token}"`, { status, headers: { 'www-authenticate': challenge } })
  }

  async function inSession(request: Request, token: string): Promise<Response> {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
    if (known) return known.handleRequest(request)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await built(token).connect(transport)
    return transport.handleRequest(request)
  }

  function built(token: string): McpServer {
    const server = new McpServer({ name: 'protected', version: '1' })
    const text = (said: string, isError = false) => ({ content: [{ type: 'text' as const, text: said }], isError })
    server.registerTool('hello', { description: 'Says hello' }, () => text('Hello!'))
    server.registerTool('admin', { description: 'Wants more rights' }, () => text('Done'))
    server.registerTool('echo_key', { description: 'Says its key in an error' }, () => {
      const last = [...tokens.keys()].at(-1) ?? token
      return text(`I was shown ${last}`, true)
    })
    return server
  }

  async function close() {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  }
}
