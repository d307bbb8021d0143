import type { Server } from '@modelcontextprotocol/server'
import type { Drivers } from '../../chat/driving/drivers.ts'
import type { ChatSurface } from '../../protocol/frames/surface-name.ts'
import type { Principal } from '../../protocol/principal.ts'
import type { HttpEndpoint } from '../http/server.ts'
import type { Era } from './era.ts'
import { createAgentEndpoint } from './http/agent-endpoint.ts'
import { createMcpEndpoint, type EndpointParts } from './http/endpoint.ts'
import { createEventStores } from './http/event-store.ts'
import { wholeWhenQuick } from './http/quick-answer.ts'
import { createSessionLimits } from './http/session-limits.ts'
import type { Page } from './page.ts'
import type { PlaceOf } from './place.ts'
import { createDrivingResources } from './resources/driving-resources.ts'
import { createInboxResources, type Readiness } from './resources/inbox-resources.ts'
import type { Listening } from './resources/listening.ts'
import { type AdmitCall, buildServer, type Surface, toolsOf } from './surface.ts'
import { agentSurface } from './surfaces/agent-surface.ts'
import { assistantSurface } from './surfaces/assistant-surface.ts'
import { bridgeSurface } from './surfaces/bridge-surface.ts'
import { chatSurface } from './surfaces/chat-surface.ts'
import { type GatewayWanted, openGatewaySurface } from './surfaces/gateway-surface.ts'
import { humanSurface } from './surfaces/human-surface.ts'
import { loopSurface } from './surfaces/loop-surface.ts'
import { orchestratorSurface } from './surfaces/orchestrator-surface.ts'
import { uiChatTools, uiSurface } from './surfaces/ui-surface.ts'
import { createToolCalls } from './tool-calls.ts'
import type { ChatParts } from './tools/chat-tools.ts'
import type { AgentFiles } from './tools/enclosures.ts'
import { placeOverHttp, type Visit } from './visit.ts'
import { agentsOf } from './visiting.ts'

/** A client that has a connection of its own. */
export type LineVisit = Pick<Visit, 'principal' | 'calls' | 'placeOf' | 'visiting' | 'maxWaitSeconds' | 'driven'> & {
  era: Era
}

interface McpEndpointsParts extends ChatParts {
  /** Without it, files are only named. */
  files?: Omit<AgentFiles, 'mayRead'>
  readiness: Readiness
  /** Knows which programs listen for their agents. */
  drivers?: Drivers
  requestLimitBytes: number
  /** How long a session may go unused before it is given up. */
  idleMs?: number
  maxWaitSeconds?: number
  /** How many sessions one principal may have, and all together. */
  sessions?: { each: number; all: number }
  /** Whether the deprecated server `ui` is there. */
  legacyUi?: boolean
  page?(): Page
  admit?: AdmitCall
  /** Hears the names of agents that look at their tools. */
  met?(client: string): void
  /** Without it, nothing is mounted at the gateway. */
  gateway?: GatewayWanted
  report?(error: unknown): void
}

const NOTHING_MOUNTED: GatewayWanted = {
  data: 'memory',
  env: {},
  govern: ({ subject, run }) => run(subject.arguments, () => {}),
}

/** Every MCP surface over HTTP, and their tools for callers that speak no MCP. */
export function openMcpEndpoints({ requestLimitBytes, idleMs = 30 * 60_000, admit, ...parts }: McpEndpointsParts) {
  const { files, maxWaitSeconds, legacyUi = true, page, met, report = () => {} } = parts
  const resources = createInboxResources({ ...parts, files: files?.store })
  const driving = createDrivingResources({ ...parts, inbox: resources })
  const [chat, human, assistant, loop, ui, orchestrator] = [
    chatSurface(parts),
    humanSurface(parts),
    assistantSurface(parts),
    loopSurface(parts),
    uiSurface(parts),
    orchestratorSurface(parts),
  ]
  const shared = { events: createEventStores(), limits: createSessionLimits(parts.sessions), requestLimitBytes, idleMs }
  const agentParts = {
    viewOf: parts.viewOf,
    files,
    ...shared,
    maxWaitSeconds,
    page,
    admit,
    met,
  }
  const bridge = createAgentEndpoint({ surface: bridgeSurface, ...agentParts })
  const agent = createAgentEndpoint({ surface: agentSurface, ...agentParts })
  const gateway = openGatewaySurface({ ...parts, wanted: parts.gateway ?? NOTHING_MOUNTED, admit, report })
  const { build, feed } = gateway
  const arrives = agentsOf(parts.viewOf)
  const endpoints = {
    chat: endpoint(chat, { resources }),
    human: endpoint(human, { resources }),
    assistant: endpoint(assistant, { resources, arrives }),
    loop: endpoint(loop, { arrives }),
    ui: endpoint(ui, { resources, arrives }),
    orchestrator: endpoint(orchestrator, { resources: driving }),
    gateway: createMcpEndpoint({ build, feed, arrives, ...shared }),
  }
  const reaper = setInterval(reap, Math.min(idleMs, 60_000)).unref()
  const paths: HttpEndpoint[] = [
    { path: '/mcp', role: 'agent', fetch: bridge.fetch },
    { path: '/mcp/agent', role: 'agent', fetch: agent.fetch },
    { path: '/mcp/chat', role: 'admin', fetch: endpoints.chat.fetch },
    { path: '/mcp/human', role: 'human', fetch: endpoints.human.fetch },
    { path: '/mcp/assistant', role: 'agent', fetch: endpoints.assistant.fetch },
    { path: '/mcp/loop', role: 'agent', fetch: endpoints.loop.fetch },
    { path: '/mcp/orchestrator', role: 'orchestrator', fetch: endpoints.orchestrator.fetch },
    {
      path: '/mcp/gateway',
      role: 'agent',
      fetch: async (...asked) => wholeWhenQuick(await endpoints.gateway.fetch(...asked)),
    },
  ]
  if (legacyUi) paths.push({ path: '/mcp/ui', role: 'agent', fetch: endpoints.ui.fetch })
  const servers = {
    chat: toolsOf(chat),
    human: toolsOf(human),
    assistant: toolsOf(assistant),
    loop: toolsOf(loop),
    ui: legacyUi ? toolsOf(ui) : uiChatTools(parts),
    orchestrator: toolsOf(orchestrator),
    gateway: toolsOf(gateway.surface),
  }
  const tools = createToolCalls(servers, admit)
  return { paths, tools, servers, gateway: gateway.gateway, serve, listening, close }

  function endpoint(surface: Surface, more: Pick<EndpointParts, 'resources' | 'arrives'> = {}) {
    const build = (visit: Visit) => {
      const placeOf = visit.placeOf ?? placeOverHttp(visit, { own: false })
      return buildServer(surface, visit.principal, { admit, placeOf, ...visit.calls })
    }
    return createMcpEndpoint({ build, ...more, ...shared })
  }

  /** A server of a surface for a connection of its own. */
  function serve(surface: ChatSurface, { era, ...visit }: LineVisit): Server {
    return endpoints[surface].serve({ ...visit, tells: era === 'modern' ? 'everything' : 'subscribed' })
  }

  function listening(surface: ChatSurface, principal: Principal, place: PlaceOf): Listening | undefined {
    return endpoints[surface].listening(principal, place)
  }

  function reap() {
    for (const { reap } of Object.values(endpoints)) reap()
  }

  async function close() {
    clearInterval(reaper)
    await Promise.all([bridge, agent, gateway, ...Object.values(endpoints)].map(({ close }) => close()))
  }
}
