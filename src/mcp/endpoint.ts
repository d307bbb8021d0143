import { createMcpHandler, isLegacyRequest, type Server } from '@modelcontextprotocol/server'
import type { Chat } from '../chat/chat.ts'
import type { Seat } from '../chat/seat.ts'
import { Name } from '../protocol/text.ts'
import { bridgeSurface } from './bridge-surface.ts'
import { createSeats, type Place } from './seats.ts'
import { createSessions } from './sessions.ts'
import { buildServer } from './surface.ts'

export interface EndpointParts {
  chat: Chat
  requestLimitBytes: number
  /** How long a session or a seat may go unused before it is given up. */
  idleMs?: number
  heartbeatMs?: number
}

/** MCP over HTTP at one path: 2026-era requests one by one, 2025-era clients in sessions. */
export function createMcpEndpoint({ chat, requestLimitBytes, idleMs = 30 * 60_000, heartbeatMs }: EndpointParts) {
  const seats = createSeats({ chat, idleMs })
  const sessions = createSessions({
    build: (request, session) => build((agent) => seats.seatOf(session(), () => placeOf(request, agent))),
    requestLimitBytes,
    idleMs,
    busy: (session) => !seats.idle(session),
    closed: seats.leave,
  })
  const modern = createMcpHandler(
    ({ requestInfo, authInfo }) =>
      build((agent) => {
        // Nothing tells two such clients of one name apart, so that each call finds the conversation of the last.
        const { conversation = agent, title } = placeOf(requestInfo, agent)
        return seats.seatOf([authInfo?.clientId, agent, conversation].join('\n'), () => ({ conversation, title }))
      }),
    { legacy: 'reject', responseMode: 'sse', keepAliveMs: 15_000, maxRequestBodySize: requestLimitBytes },
  )
  const reaper = setInterval(reap, Math.min(idleMs, 60_000)).unref()
  return { fetch, close }

  /** `caller` is who asks, as the HTTP door knows it. */
  async function fetch(request: Request, caller: string): Promise<Response> {
    if (await isLegacyRequest(request, undefined, { maxRequestBodySize: requestLimitBytes }))
      return sessions.fetch(request, caller)
    return modern.fetch(request, { authInfo: { token: '', clientId: caller, scopes: [] } })
  }

  function build(seatFor: (agent: string) => Seat): Server {
    return buildServer(bridgeSurface({ heartbeatMs, seatOf: async ({ client }) => seatFor(client) }))
  }

  function reap() {
    sessions.reap()
    seats.reap()
  }

  async function close() {
    clearInterval(reaper)
    await Promise.all([sessions.close(), modern.close()])
    seats.close()
  }
}

/** `?session=` names the conversation. */
function placeOf(request: Request | undefined, agent: string): Place {
  const asked = request && new URL(request.url).searchParams.get('session')
  const conversation = Name.safeParse(asked).data
  return { conversation, title: conversation ?? agent }
}
