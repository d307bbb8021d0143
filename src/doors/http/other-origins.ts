import type { IncomingMessage, ServerResponse } from 'node:http'
import { originOf } from '../../protocol/origin.ts'

export type OtherOrigins = ReturnType<typeof otherOrigins>

/** Paths for programs. Everything else is for the hub's own page. */
const SOCKET = /^\/ws$/
const REST_AND_MCP = /^\/(mcp|api\/mcp|api\/tools)(\/|$)/

const METHODS = 'GET, POST, DELETE'
const EXPOSED = 'mcp-session-id, mcp-protocol-version, www-authenticate, retry-after'
const PREFLIGHT_SECONDS = '600'
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/

/** Pages that are not the hub's own and may still use what programs use: see docs/adr/0021. */
export function otherOrigins(allowed: readonly string[] = []) {
  return { mayCome, greet, answerPreflight }

  function mayCome(request: IncomingMessage): boolean {
    return allowedIn(request) !== undefined && (isAt(SOCKET, request) || isAt(REST_AND_MCP, request))
  }

  /** Headers are set before anything is decided, so that such a page can read every answer, refusals too. */
  function greet(request: IncomingMessage, response: ServerResponse) {
    if (allowed.length === 0 || !isAt(REST_AND_MCP, request)) return
    response.setHeader('vary', 'Origin')
    const origin = allowedIn(request)
    if (origin === undefined) return
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('access-control-expose-headers', EXPOSED)
  }

  /** A browser asks what a page may send; it has no token yet. Says whether it was that. */
  function answerPreflight(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, headers } = request
    const asks = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
    if (!asks || allowedIn(request) === undefined || !isAt(REST_AND_MCP, request)) return false
    // MCP clients name headers after parameters of tools, so that nobody knows them all.
    const named = (headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim())
    response.writeHead(204, {
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': named.filter((name) => HEADER_NAME.test(name)).join(', '),
      'access-control-max-age': PREFLIGHT_SECONDS,
    })
    response.end()
    return true
  }

  function allowedIn({ headers: { origin = '' } }: IncomingMessage): string | undefined {
    return allowed.find((one) => one === originOf(origin))
  }
}

/** Compares the path that is routed: one with dots in it leads elsewhere. */
function isAt(place: RegExp, { url }: IncomingMessage): boolean {
  return place.test(URL.parse(`http://localhost${url}`)?.pathname ?? '')
}
