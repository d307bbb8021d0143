import type { Server } from '@modelcontextprotocol/server'
import type { Seat } from '../chat/seat.ts'
import type { View } from '../chat/view.ts'
import type { Principal } from '../protocol/principal.ts'
import { Name } from '../protocol/text.ts'
import type { SeatedParts } from './bridge-surface.ts'
import type { AgentFiles } from './enclosures.ts'
import { createMcpEndpoint } from './endpoint.ts'
import type { EventStores } from './event-store.ts'
import { createSeats } from './seats.ts'
import { type AdmitCall, buildServer, type Surface } from './surface.ts'
import type { Visit } from './visit.ts'

export interface AgentEndpointParts {
  viewOf(principal: Principal): View
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
export function createAgentEndpoint({
  viewOf,
  surface,
  files,
  events,
  requestLimitBytes,
  idleMs = 30 * 60_000,
  heartbeatMs,
  maxWaitSeconds,
  admit,
}: AgentEndpointParts) {
  const seats = createSeats({ idleMs })
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
    const view = viewOf(principal)
    const named = view.only ?? namedIn(request)
    if (session) return seats.seatOf(session(), () => view.seat({ conversation: named, title: named ?? agent }))
    // Nothing tells two such clients of one principal apart, so that each call finds the conversation of the last.
    const conversation = named ?? agent
    return seats.seatOf([principal.id, conversation].join('\n'), () => view.seat({ conversation, title: conversation }))
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

/** A token may bind an agent to a conversation; otherwise `?session=` names it. */
function namedIn(request: Request | undefined): string | undefined {
  return Name.safeParse(request && new URL(request.url).searchParams.get('session')).data
}
