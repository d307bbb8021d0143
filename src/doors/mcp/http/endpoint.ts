import {
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  isLegacyRequest,
  type Server,
  type ServerEvent,
} from '@modelcontextprotocol/server'
import type { Principal } from '../../../protocol/principal.ts'
import type { RequestContext } from '../../http/request-context.ts'
import type { WayOf } from '../departure.ts'
import type { PlaceOf } from '../place.ts'
import { LISTEN, type Listening, openListening } from '../resources/listening.ts'
import { onClose, type Resources, serveResources } from '../resources/resources.ts'
import { nameOf } from '../surface.ts'
import { atHome, authInfoFor, principalIn, requestContextIn, type Visit } from '../visit.ts'
import { createEventStores, type EventStores } from './event-store.ts'
import { bodyOf } from './request-body.ts'
import { createSessionLimits, type SessionLimits } from './session-limits.ts'
import { createSessions } from './sessions.ts'
import { streamWhenSlow } from './slow-answer.ts'
import { cutWhenUnread } from './unread-stream.ts'

export interface EndpointParts {
  build(visit: Visit): Server
  resources?: Resources
  /** The feed for clients of the 2026 era, in place of resources. */
  feed?: Feed
  /** The events that its sessions keep, perhaps together with others. */
  events?: EventStores
  /** How many sessions there may be, perhaps together with others. */
  limits?: SessionLimits
  requestLimitBytes: number
  /** How long a session may go unused before it is given up. */
  idleMs: number
  busy?(session: string): boolean
  closed?(session: string): void
  /** An agent with a session hears what it is told, until it leaves. */
  arrives?(principal: Principal): { leave(): void } | undefined
  /** Called with a client that has a request or a stream open until then: a session, or a caller without one. */
  attends?(client: string | Asker, until: Promise<unknown>): void
}

export interface Feed {
  follow(principal: Principal, publish: (event: ServerEvent) => void): { close(): void }
  /** `place`: where its client is, of one that has a connection of its own. */
  listening(principal: Principal, place?: PlaceOf): Listening
}

/** A client of the 2026 era, as each of its requests names it. */
export interface Asker {
  principal: Principal
  request?: Request
  client: string
}

type Modern = ReturnType<typeof createMcpHandler> & { following?: { close(): void } }

/** MCP over HTTP at one path: 2026-era requests one by one, 2025-era clients in sessions. */
export function createMcpEndpoint({
  build,
  resources,
  feed = resources && feedOf(resources),
  events = createEventStores(),
  limits = createSessionLimits(),
  requestLimitBytes,
  idleMs,
  busy,
  closed,
  arrives,
  attends,
}: EndpointParts) {
  const modern = new Map<string, Modern>()
  const sessions = createSessions({ build: serve, events, limits, requestLimitBytes, idleMs, busy, closed, attends })
  return { fetch, serve, listening, reap: sessions.reap, close }

  async function fetch(request: Request, principal: Principal, requestContext: RequestContext): Promise<Response> {
    const parsedBody = await bodyOf(request, requestLimitBytes)
    if (await isLegacyRequest(request, parsedBody, { maxRequestBodySize: requestLimitBytes })) {
      const response = await sessions.fetch(request, parsedBody, principal, requestContext)
      return request.method === 'GET' ? cutWhenUnread(response, requestContext.cut) : response
    }
    attends?.({ principal, request, client: clientIn(parsedBody) }, requestContext.finished)
    const authInfo = authInfoFor(principal, requestContext)
    const serveModern = (parsedBody: unknown) => modernFor(principal).fetch(request, { authInfo, parsedBody })
    const stream = request.headers.get('mcp-method') === LISTEN && feed?.listening(atHome({ principal, request }))
    if (stream) {
      void requestContext.finished.then(stream.close)
      const begun = await stream.begin(parsedBody)
      return 'refusal' in begun
        ? Response.json(begun.refusal)
        : cutWhenUnread(await serveModern(begun.request), requestContext.cut)
    }
    return streamWhenSlow(serveModern(parsedBody))
  }

  /** Subscriptions for a connection of its own, where the transport keeps them. */
  function listening(principal: Principal, place: PlaceOf): Listening | undefined {
    return feed?.listening(principal, place)
  }

  function serve(visit: Visit): Server {
    const server = build(visit)
    if (visit.session && arrives) stayWhileHearing(server, visit, arrives)
    if (resources) serveResources(server, resources, { ...visit, principal: atHome(visit) })
    return server
  }

  /** One for each view: what is published to it reaches all its subscribers, so they must be allowed the same. */
  function modernFor(principal: Principal): Modern {
    const view = principal.conversation ?? ''
    const known = modern.get(view)
    if (known) return known
    const handler: Modern = createMcpHandler(
      ({ requestInfo, authInfo }) =>
        serve({ principal: principalIn(authInfo), request: requestInfo, calls: { wayOf: byRequest } }),
      {
        legacy: 'reject',
        keepAliveMs: 15_000,
        maxRequestBodySize: requestLimitBytes,
        maxSubscriptions: MOST_SUBSCRIPTIONS,
      },
    )
    handler.following = feed?.follow(principal, (event) => handler.bus.publish(event))
    modern.set(view, handler)
    return handler
  }

  async function close() {
    for (const { following } of modern.values()) following?.close()
    await Promise.all([sessions.close(), ...[...modern.values()].map((handler) => handler.close())])
  }
}

/** Clients do not say when they end; their stream ends with them. */
function stayWhileHearing(server: Server, visit: Visit, arrives: NonNullable<EndpointParts['arrives']>) {
  let here: { leave(): void } | undefined
  visit.attends?.((does) => {
    here?.leave()
    here = does ? arrives(atHome(visit)) : undefined
  })
  onClose(server, () => here?.leave())
}

function feedOf(resources: Resources): Feed {
  return {
    follow: (principal, publish) =>
      resources.onChange(principal, (uri, params) => publish({ kind: 'resource_updated', uri, params })),
    listening: (principal) => openListening({ principal, resources }),
  }
}

const MOST_SUBSCRIPTIONS = 10_000

export function clientIn(body: unknown): string {
  const request = body as { params?: { _meta?: Record<string, { name?: unknown }> } } | null | undefined
  return nameOf(request?.params?._meta?.[CLIENT_INFO_META_KEY])
}

/** A request of the 2026 era has one answer, and no second connection to get it over: closing this one cancels it. */
const byRequest: WayOf = (context) => (departure) => {
  const { finished, unread } = requestContextIn(context)
  departure.leave(finished)
  void unread.then(departure.miss)
}
