import type { Server } from '@modelcontextprotocol/server'
import type { Seat } from '../../../chat/delivery/seat.ts'
import type { View } from '../../../chat/view.ts'
import type { Principal } from '../../../protocol/principal.ts'
import type { Page } from '../page.ts'
import { type AdmitCall, buildServer, type Caller, type Surface } from '../surface.ts'
import type { SeatedParts } from '../surfaces/bridge-surface.ts'
import type { AgentFiles } from '../tools/enclosures.ts'
import { placeOverHttp, sessionNamedIn, type Visit } from '../visit.ts'
import { agentsOf } from '../visiting.ts'
import { type Asker, createMcpEndpoint } from './endpoint.ts'
import type { EventStores } from './event-store.ts'
import { createSeats } from './seats.ts'
import type { SessionLimits } from './session-limits.ts'

export interface AgentEndpointParts {
  viewOf(principal: Principal): View
  surface(parts: SeatedParts): Surface
  files?: Omit<AgentFiles, 'mayRead'>
  /** What its sessions keep, perhaps together with others. */
  events?: EventStores
  limits?: SessionLimits
  requestLimitBytes: number
  /** How long a session or a seat may go unused before it is given up. */
  idleMs?: number
  heartbeatMs?: number
  maxWaitSeconds?: number
  page?(): Page
  admit?: AdmitCall
}

/** A surface for agents over HTTP: they have seats, kept by session or, without one, by who they are. */
export function createAgentEndpoint({
  viewOf,
  surface,
  files,
  events,
  limits,
  requestLimitBytes,
  idleMs = 30 * 60_000,
  heartbeatMs,
  maxWaitSeconds,
  page,
  admit,
}: AgentEndpointParts) {
  const seats = createSeats({ idleMs })
  const endpoint = createMcpEndpoint({
    build,
    events,
    limits,
    requestLimitBytes,
    idleMs,
    busy: (session) => !seats.idle(session),
    closed: seats.leave,
    arrives: agentsOf(viewOf),
    attends: (client, until) => seats.attends(typeof client === 'string' ? client : keyOf(client), until),
  })
  const reaper = setInterval(reap, Math.min(idleMs, 60_000)).unref()
  return { fetch: endpoint.fetch, close }

  function build(visit: Visit): Server {
    const began = Date.now()
    const seatOf = async (caller: Caller) => {
      const seat = seatFor(visit, caller, began)
      seat.speaksAs(caller.client)
      return seat
    }
    const { mayRead } = viewOf(visit.principal).files
    const own = files && (async () => ({ ...files, mayRead }))
    const parts = { heartbeatMs, maxWaitSeconds, page, seatOf, files: own }
    const placeOf = placeOverHttp(visit, { own: true })
    return buildServer(surface(parts), visit.principal, { admit, placeOf, ...visit.calls })
  }

  function seatFor({ principal, request, session }: Visit, caller: Caller, began: number): Seat {
    const { client: agent, visit, principal: placed } = caller
    const view = viewOf(principal)
    const { title, conversation = agent } = placed.home ?? {}
    const seat = () => view.seat({ conversation, title: title ?? conversation, visit, began, byRequests: true })
    if (session) return seats.seatOf([session(), conversation].join('\n'), session(), seat)
    // Nothing else tells two such clients of one principal apart, so that each call finds the seat of the last.
    const client = keyOf({ principal, request, client: agent })
    return seats.seatOf([principal.id, conversation, agent].join('\n'), client, seat)
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

/** All that tells clients apart that have no session. */
function keyOf({ principal, request, client }: Asker): string {
  return [principal.id, sessionNamedIn(request) ?? '', client].join('\n')
}
