import { randomUUID } from 'node:crypto'
import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { ParleyError } from '../protocol/errors.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Visit } from './endpoint.ts'
import { createEventStore, FROM_START } from './event-store.ts'

interface Session {
  transport: WebStandardStreamableHTTPServerTransport
  opener: string
  usedAt: number
  streams: number
  hadStream: boolean
}

interface SessionsParts {
  build(visit: Visit): Server
  requestLimitBytes: number
  idleMs: number
  /** Whether the agent of a session that sends nothing is still waiting for a reply. */
  busy?(session: string): boolean
  closed?(session: string): void
}

/** 2025-era clients: each has a session, bound to whoever opened it, and given up when it is idle. */
export function createSessions({ build, requestLimitBytes, idleMs, busy, closed }: SessionsParts) {
  const sessions = new Map<string, Session>()
  return { fetch, reap, close }

  async function fetch(request: Request, principal: Principal): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id === null) return open(request, principal)
    const session = sessions.get(id)
    if (!session) throw new ParleyError('unknown_session')
    if (session.opener !== idOf(principal)) throw new ParleyError('foreign_session')
    session.usedAt = Date.now()
    if (request.method !== 'GET') return session.transport.handleRequest(request)
    const first = !session.hadStream
    countStream(session, request.signal)
    return session.transport.handleRequest(first ? fromStart(request) : request)
  }

  /** The transport itself refuses a first request that is not `initialize`; then no session comes of it. */
  async function open(request: Request, principal: Principal): Promise<Response> {
    const opener = idOf(principal)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore(),
      retryInterval: 2000,
      maxRequestBodySize: requestLimitBytes,
      onsessioninitialized: (id) =>
        void sessions.set(id, { transport, opener, usedAt: Date.now(), streams: 0, hadStream: false }),
    })
    const server = build({ principal, request, session: () => transport.sessionId ?? '' })
    const { onclose } = server
    server.onclose = () => {
      onclose?.()
      forget(transport.sessionId)
    }
    await server.connect(transport)
    return transport.handleRequest(request)
  }

  function countStream(session: Session, gone: AbortSignal) {
    session.hadStream = true
    session.streams++
    gone.addEventListener('abort', () => {
      session.streams--
      session.usedAt = Date.now()
    })
  }

  function reap() {
    for (const [id, session] of sessions) {
      const idle = session.streams === 0 && Date.now() - session.usedAt >= idleMs
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

/** Clients subscribe beside opening their stream, and what they are told in between must wait for it. */
function fromStart(request: Request): Request {
  if (request.headers.has('last-event-id')) return request
  const headers = new Headers(request.headers)
  headers.set('last-event-id', FROM_START)
  return new Request(request, { headers })
}

function idOf({ role, name }: Principal): string {
  return `${role} ${name}`
}
