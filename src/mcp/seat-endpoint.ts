import type { Server } from '@modelcontextprotocol/server'
import type { Chat } from '../chat/chat.ts'
import type { Seat } from '../chat/seat.ts'
import type { Principal } from '../protocol/principal.ts'
import { Name } from '../protocol/text.ts'
import type { SeatedParts } from './bridge-surface.ts'
import type { AgentFiles } from './enclosures.ts'
import { createMcpEndpoint } from './endpoint.ts'
import type { EventStores } from './event-store.ts'
import { createSeats, type Place } from './seats.ts'
import { type AdmitCall, buildServer, type Surface } from './surface.ts'
import type { Visit } from './visit.ts'

export interface SeatEndpointParts {
  chat: Chat
  surface(parts: SeatedParts): Surface
  files?(): Promise<AgentFiles>
  /** What its sessions keep, perhaps together with others. */
  events?: EventStores
  requestLimitBytes: number
  /** How long a session or a seat may go unused before it is given up. */
  idleMs?: number
  heartbeatMs?: number
  maxWaitSeconds?: number
  admit?: AdmitCall
}

/** A surface for agents over HTTP: they have seats, kept by session or, without one, by who they are. */
export function createSeatEndpoint({
  chat,
  surface,
  files,
  events,
  requestLimitBytes,
  idleMs = 30 * 60_000,
  heartbeatMs,
  maxWaitSeconds,
  admit,
}: SeatEndpointParts) {
  const seats = createSeats({ chat, idleMs })
  const endpoint = createMcpEndpoint({
    build,
    events,
    requestLimitBytes,
    idleMs,
    busy: (session) => !seats.idle(session),
    closed: seats.leave,
  })
  const reaper = setInterval(reap, Math.min(idleMs, 60_000)).unref()
  return { fetch: endpoint.fetch, close }

  function build(visit: Visit): Server {
    const seatOf = async ({ client }: { client: string }) => seatFor(visit, client)
    const parts = { heartbeatMs, maxWaitSeconds, seatOf, files }
    return buildServer(surface(parts), visit.principal, admit, visit.wayOf)
  }

  function seatFor({ principal, request, session }: Visit, agent: string): Seat {
    const place = placeOf(principal, request, agent)
    if (session) return seats.seatOf(session(), () => place)
    // Nothing tells two such clients of one name apart, so that each call finds the conversation of the last.
    const { conversation = agent, ...rest } = place
    return seats.seatOf([principal.name, agent, conversation].join('\n'), () => ({ conversation, ...rest }))
  }

  function reap() {
    endpoint.reap()
    seats.reap()
  }

  async function close() {
    clearInterval(reaper)
    await endpoint.close()
    seats.close()
  }
}

/** The token binds an agent to a conversation, or else `?session=` names it. */
function placeOf({ conversation: bound }: Principal, request: Request | undefined, agent: string): Place {
  const asked = request && new URL(request.url).searchParams.get('session')
  const conversation = bound ?? Name.safeParse(asked).data
  return { conversation, title: conversation ?? agent, bound: bound !== undefined }
}
