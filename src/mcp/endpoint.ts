import { createMcpHandler, isLegacyRequest, type Server } from '@modelcontextprotocol/server'
import type { Principal } from '../protocol/principal.ts'
import { refuseUnknown } from './listen-check.ts'
import { type Resources, serveResources } from './resources.ts'
import { createSessions } from './sessions.ts'
import { streamWhenSlow } from './slow-answer.ts'

/** One client at an endpoint: for one request, or with a session for as long as that lives. */
export interface Visit {
  principal: Principal
  request?: Request
  session?(): string
  /** The transport keeps the subscriptions of this client. */
  tellsAll?: boolean
}

export interface EndpointParts {
  build(visit: Visit): Server
  resources?: Resources
  requestLimitBytes: number
  /** How long a session may go unused before it is given up. */
  idleMs: number
  busy?(session: string): boolean
  closed?(session: string): void
}

type Modern = ReturnType<typeof createMcpHandler> & { watching?: { close(): void } }

/** MCP over HTTP at one path: 2026-era requests one by one, 2025-era clients in sessions. */
export function createMcpEndpoint({ build, resources, requestLimitBytes, idleMs, busy, closed }: EndpointParts) {
  const modern = new Map<string, Modern>()
  const sessions = createSessions({ build: serve, requestLimitBytes, idleMs, busy, closed })
  return { fetch, serve, reap: sessions.reap, close }

  async function fetch(request: Request, principal: Principal): Promise<Response> {
    if (await isLegacyRequest(request, undefined, { maxRequestBodySize: requestLimitBytes }))
      return sessions.fetch(request, principal)
    const refusal = resources && (await refuseUnknown(request, resources, principal))
    if (refusal) return refusal
    const authInfo = { token: '', clientId: principal.name, scopes: [], extra: { principal } }
    return streamWhenSlow(modernFor(principal).fetch(request, { authInfo }))
  }

  function serve(visit: Visit): Server {
    const server = build(visit)
    if (resources) serveResources(server, resources, visit.principal, visit.tellsAll)
    return server
  }

  /** One for each view: what is published to it reaches all its subscribers, so they must be allowed the same. */
  function modernFor(principal: Principal): Modern {
    const view = principal.conversation ?? ''
    const known = modern.get(view)
    if (known) return known
    const handler: Modern = createMcpHandler(
      ({ requestInfo, authInfo }) =>
        serve({ principal: authInfo?.extra?.principal as Principal, request: requestInfo }),
      {
        legacy: 'reject',
        keepAliveMs: 15_000,
        maxRequestBodySize: requestLimitBytes,
        maxSubscriptions: MOST_SUBSCRIPTIONS,
      },
    )
    handler.watching = resources?.watch(principal, (uri, params) =>
      handler.bus.publish({ kind: 'resource_updated', uri, params }),
    )
    modern.set(view, handler)
    return handler
  }

  async function close() {
    for (const { watching } of modern.values()) watching?.close()
    await Promise.all([sessions.close(), ...[...modern.values()].map((handler) => handler.close())])
  }
}

const MOST_SUBSCRIPTIONS = 10_000
