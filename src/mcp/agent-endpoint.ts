import type { Server } from '@modelcontextprotocol/server'
import { conversationOfRun } from '../chat/conversation-name.ts'
import type { Seat } from '../chat/seat.ts'
import type { View } from '../chat/view.ts'
import type { Principal } from '../protocol/principal.ts'
import { Name } from '../protocol/text.ts'
import type { SeatedParts } from './bridge-surface.ts'
import type { AgentFiles } from './enclosures.ts'
import { type Asker, createMcpEndpoint } from './endpoint.ts'
import type { EventStores } from './event-store.ts'
import type { Page } from './page.ts'
import { createSeats } from './seats.ts'
import type { SessionLimits } from './session-limits.ts'
import { type AdmitCall, buildServer, type Caller, type Surface } from './surface.ts'
import type { Visit } from './visit.ts'

export interface AgentEndpointParts {
  viewOf(principal: Principal): View
  surface(parts: SeatedParts): Surface
  files?(): Promise<AgentFiles>
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
    attends: (client, until) => seats.attends(typeof client === 'string' ? client : keyOf(client), until),
  })
  const reaper = setInterval(reap, Math.min(idleMs, 60_000)).unref()
  return { fetch: endpoint.fetch, close }

  function build(visit: Visit): Server {
    const seatOf = async (caller: Caller) => {
      const seat = seatFor(visit, caller)
      seat.speaksAs(caller.client)
      return seat
    }
    const parts = { heartbeatMs, maxWaitSeconds, page, seatOf, files }
    return buildServer(surface(parts), visit.principal, { admit, ...visit.calls })
  }

  function seatFor({ principal, request, session }: Visit, { client: agent, run }: Caller): Seat {
    const view = viewOf(principal)
    const named = view.only ?? namedIn(request)
    const title = named ?? agent
    const conversation = named ?? (run && conversationOfRun(agent, run))
    const byRequests = true
    if (session) return seats.seatOf(session(), session(), () => view.seat({ conversation, title, byRequests }))
    // Nothing else tells two such clients of one principal apart, so that each call finds the conversation of the last.
    const place = conversation ?? agent
    const client = keyOf({ principal, request, client: agent })
    return seats.seatOf([principal.id, place, agent].join('\n'), client, () =>
      view.seat({ conversation: place, title, byRequests }),
    )
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
  return [principal.id, namedIn(request) ?? '', client].join('\n')
}

/** A token may bind an agent to a conversation; otherwise `?session=` names it. */
function namedIn(request: Request | undefined): string | undefined {
  return Name.safeParse(request && new URL(request.url).searchParams.get('session')).data
}
