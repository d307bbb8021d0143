import { randomUUID } from 'node:crypto'
import {
  type HandleRequestOptions,
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { ParleyError } from '../../../protocol/errors.ts'
import type { Principal } from '../../../protocol/principal.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { authInfoFor, requestContextIn, type Visit } from '../visit.ts'
import { type EventStores, FROM_START } from './event-store.ts'
import { createResumption } from './resumption.ts'
import type { SessionLimits } from './session-limits.ts'

interface Session {
  transport: WebStandardStreamableHTTPServerTransport
  streams: ReturnType<typeof createResumption>
  opener: string
  /** The credentials that its opener showed. */
  shown: string
  usedAt: number
  /** How many GETs are open. */
  listening: number
  hasListened: boolean
  attending(does: boolean): void
}

interface SessionsParts {
  build(visit: Visit): Server
  events: EventStores
  limits: SessionLimits
  requestLimitBytes: number
  idleMs: number
  /** Whether the agent of a session that sends nothing is still waiting for a reply. */
  busy?(session: string): boolean
  /** The client of a session has a request or a stream open until then. */
  attends?(session: string, until: Promise<unknown>): void
  closed?(session: string): void
}

/** 2025-era clients: each has a session, bound to whoever opened it, and given up when it is idle. */
export function createSessions({ build, events, limits, requestLimitBytes, idleMs, ...parts }: SessionsParts) {
  const { busy, attends, closed } = parts
  const sessions = new Map<string, Session>()
  // Nobody is behind it: it refuses, in the SDK's words, what comes without a session and opens none.
  const closedDoor = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    maxRequestBodySize: requestLimitBytes,
  })
  return { fetch, reap, close }

  async function fetch(
    request: Request,
    parsedBody: unknown,
    principal: Principal,
    requestContext: RequestContext,
  ): Promise<Response> {
    const options = { authInfo: authInfoFor(principal, requestContext), parsedBody }
    const id = request.headers.get('mcp-session-id')
    if (id === null)
      return isOpening(parsedBody)
        ? open(request, principal, requestContext, options)
        : closedDoor.handleRequest(request, options)
    const session = sessions.get(id)
    if (!session) throw new ParleyError('unknown_session')
    if (session.opener !== principal.id) throw new ParleyError('foreign_session')
    // It was opened as who its opener was then, which may have been more than is left.
    if (session.shown !== requestContext.shown) throw new ParleyError('unknown_session')
    session.usedAt = Date.now()
    attends?.(id, requestContext.finished)
    if (request.method === 'GET') return listen(session, request, requestContext)
    return session.transport.handleRequest(request, options)
  }

  /** The transport may still refuse it; then nothing is left of it. */
  async function open(
    request: Request,
    principal: Principal,
    { shown, outlasting }: RequestContext,
    options: HandleRequestOptions,
  ): Promise<Response> {
    const opener = principal.id
    const makeRoom = limits.enter(opener)
    const streams = createResumption(events.open())
    let attending: Session['attending'] = () => {}
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: streams.eventStore,
      retryInterval: 2000,
      maxRequestBodySize: requestLimitBytes,
      onsessioninitialized: (id) =>
        void sessions.set(id, {
          transport,
          streams,
          opener,
          shown,
          usedAt: Date.now(),
          listening: 0,
          hasListened: false,
          attending,
        }),
    })
    const server = build({
      principal,
      request,
      session: () => transport.sessionId ?? '',
      tells: 'subscribed',
      attends: (changed) => {
        const others = attending
        attending = (does) => {
          others(does)
          changed(does)
        }
      },
      calls: { wayOf: (context) => streams.answerTo(requestContextIn(context)) },
    })
    const { onclose } = server
    const leave = outlasting(() => void transport.close())
    server.onclose = () => {
      leave()
      makeRoom()
      onclose?.()
      streams.close()
      forget(transport.sessionId)
    }
    await server.connect(transport)
    try {
      return await transport.handleRequest(request, options)
    } finally {
      if (transport.sessionId === undefined) await server.close()
    }
  }

  async function listen(session: Session, request: Request, requestContext: RequestContext): Promise<Response> {
    // Clients subscribe beside opening their stream, and what they are told in between must wait for it.
    const last = request.headers.get('last-event-id') ?? (session.hasListened ? null : FROM_START)
    session.hasListened = true
    session.attending(++session.listening > 0)
    void requestContext.finished.then(() => {
      session.attending(--session.listening > 0)
      session.usedAt = Date.now()
    })
    if (last === null) return session.transport.handleRequest(request)
    const response = await session.transport.handleRequest(resuming(request, last))
    if (response.ok) session.streams.resume(last, requestContext)
    return response
  }

  function reap() {
    for (const [id, session] of sessions) {
      const idle = session.listening === 0 && Date.now() - session.usedAt >= idleMs
      if (idle && !busy?.(id)) void session.transport.close()
    }
  }

  function forget(id: string | undefined) {
    if (id === undefined || !sessions.delete(id)) return
    closed?.(id)
  }

  async function close() {
    await Promise.all([...sessions.values()].map(({ transport }) => transport.close()))
  }
}

function isOpening(body: unknown): boolean {
  return [body].flat().some((message) => isInitializeRequest(message))
}

function resuming(request: Request, last: string): Request {
  const headers = new Headers(request.headers)
  headers.set('last-event-id', last)
  return new Request(request, { headers })
}
