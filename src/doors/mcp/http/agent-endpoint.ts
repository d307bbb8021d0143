import type { Server } from '@modelcontextprotocol/server'
import type { AgentSession } from '../../../chat/delivery/agent-session.ts'
import type { View } from '../../../chat/view.ts'
import type { Principal } from '../../../protocol/principal.ts'
import type { Page } from '../page.ts'
import { type AdmitCall, buildServer, type Caller, type Surface } from '../surface.ts'
import type { AgentSurfaceParts } from '../surfaces/bridge-surface.ts'
import type { AgentFiles } from '../tools/enclosures.ts'
import { placeOverHttp, sessionNamedIn, type Visit } from '../visit.ts'
import { agentsOf } from '../visiting.ts'
import { createAgentSessions } from './agent-sessions.ts'
import { type Asker, createMcpEndpoint } from './endpoint.ts'
import type { EventStores } from './event-store.ts'
import type { SessionLimits } from './session-limits.ts'

interface AgentEndpointParts {
  viewOf(principal: Principal): View
  surface(parts: AgentSurfaceParts): Surface
  files?: Omit<AgentFiles, 'mayRead'>
  /** The events that its sessions keep, perhaps together with others. */
  events?: EventStores
  limits?: SessionLimits
  requestLimitBytes: number
  /** How long an MCP session or an agent session may go unused before it is given up. */
  idleMs?: number
  heartbeatMs?: number
  maxWaitSeconds?: number
  page?(): Page
  admit?: AdmitCall
  met?(client: string): void
}

/** A surface for agents over HTTP: they have agent sessions, kept by MCP session or, without one, by who they are. */
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
  met,
}: AgentEndpointParts) {
  const agentSessions = createAgentSessions({ idleMs })
  const endpoint = createMcpEndpoint({
    build,
    events,
    limits,
    requestLimitBytes,
    idleMs,
    busy: (session) => !agentSessions.idle(session),
    closed: agentSessions.leave,
    arrives: agentsOf(viewOf),
    attends: (client, until) => agentSessions.attends(typeof client === 'string' ? client : keyOf(client), until),
  })
  const reaper = setInterval(reap, Math.min(idleMs, 60_000)).unref()
  return { fetch: endpoint.fetch, close }

  function build(visit: Visit): Server {
    const began = Date.now()
    const agentSessionOf = async (caller: Caller) => {
      const agentSession = agentSessionFor(visit, caller, began)
      agentSession.speaksAs(caller.client)
      return agentSession
    }
    const { mayRead } = viewOf(visit.principal).files
    const own = files && (async () => ({ ...files, mayRead }))
    const parts = { heartbeatMs, maxWaitSeconds, page, sessionOf: agentSessionOf, files: own }
    const placeOf = placeOverHttp(visit, { own: true })
    return buildServer(surface(parts), visit.principal, { admit, met, placeOf, ...visit.calls })
  }

  function agentSessionFor({ principal, request, session }: Visit, caller: Caller, began: number): AgentSession {
    const { client: agent, visit, principal: placed } = caller
    const view = viewOf(principal)
    const { title, conversation = agent } = placed.home ?? {}
    const agentSession = () =>
      view.agentSession({ conversation, title: title ?? conversation, visit, began, byRequests: true })
    if (session) return agentSessions.agentSessionOf([session(), conversation].join('\n'), session(), agentSession)
    // Nothing else tells two such clients of one principal apart, so that each call finds the agent session of the
    // last.
    const client = keyOf({ principal, request, client: agent })
    return agentSessions.agentSessionOf([principal.id, conversation, agent].join('\n'), client, agentSession)
  }

  function reap() {
    endpoint.reap()
    agentSessions.reap()
  }

  async function close() {
    clearInterval(reaper)
    await endpoint.close()
    agentSessions.close()
  }
}

/** All that tells clients apart that have no session. */
function keyOf({ principal, request, client }: Asker): string {
  return [principal.id, sessionNamedIn(request) ?? '', client].join('\n')
}
