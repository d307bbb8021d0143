import type { Server } from '@modelcontextprotocol/server'
import type { Principal, Role } from '../protocol/principal.ts'
import type { ChatSurface } from '../protocol/surface-name.ts'
import { createAgentEndpoint } from './agent-endpoint.ts'
import { agentSurface } from './agent-surface.ts'
import { assistantSurface } from './assistant-surface.ts'
import { bridgeSurface } from './bridge-surface.ts'
import { chatSurface } from './chat-surface.ts'
import type { ChatParts } from './chat-tools.ts'
import type { Exchange } from './departure.ts'
import { createDrivingResources } from './driving-resources.ts'
import type { AgentFiles } from './enclosures.ts'
import { createMcpEndpoint } from './endpoint.ts'
import { createEventStores } from './event-store.ts'
import { type GatewayWanted, openGatewaySurface } from './gateway-surface.ts'
import { humanSurface } from './human-surface.ts'
import { createInboxResources, type Readiness } from './inbox-resources.ts'
import type { Listening } from './listening.ts'
import { loopSurface } from './loop-surface.ts'
import { orchestratorSurface } from './orchestrator-surface.ts'
import type { Page } from './page.ts'
import { wholeWhenQuick } from './quick-answer.ts'
import type { Resources } from './resources.ts'
import { createSessionLimits } from './session-limits.ts'
import { type AdmitCall, buildServer, type Surface, toolsOf } from './surface.ts'
import { createToolCalls } from './tool-calls.ts'
import { uiChatTools, uiSurface } from './ui-surface.ts'
import type { Visit } from './visit.ts'

/** 2025-era clients open a connection by `initialize`, 2026-era ones do not. */
export type Era = 'legacy' | 'modern'

/** A client that has a connection of its own. */
export type LineVisit = Pick<Visit, 'principal' | 'calls' | 'conversation' | 'folder'> & { era: Era }

/** A surface at its path. Without tokens, `role` is what its callers are. */
export interface Mount {
  path: string
  role: Role
  fetch(request: Request, principal: Principal, exchange: Exchange): Promise<Response>
}

export interface MountsParts extends ChatParts {
  /** Without it files are only named. */
  files?: AgentFiles
  readiness: Readiness
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
  /** Without it, nothing of others is mounted at the gateway. */
  gateway?: GatewayWanted
  report?(error: unknown): void
}

const NOTHING_MOUNTED: GatewayWanted = {
  data: 'memory',
  env: {},
  govern: ({ subject, run }) => run(subject.arguments, () => {}),
}

/** Every MCP surface over HTTP, and their tools for callers that speak no MCP. */
export function openMounts({ requestLimitBytes, idleMs = 30 * 60_000, admit, ...parts }: MountsParts) {
  const { files, maxWaitSeconds, legacyUi = true, page, report = () => {} } = parts
  const asDriver = (principal: Principal) => parts.viewOf(principal).asDriver()
  const inbox = { ...parts, files: files?.store }
  const resources = createInboxResources(inbox)
  const driving = createDrivingResources({
    viewOf: asDriver,
    inbox: createInboxResources({ ...inbox, pins: resources.pins, drivers: resources.drivers, viewOf: asDriver }),
  })
  const [chat, human, assistant, loop, ui, orchestrator] = [
    chatSurface(parts),
    humanSurface(parts),
    assistantSurface(parts),
    loopSurface(parts),
    uiSurface(parts),
    orchestratorSurface({ ...parts, viewOf: asDriver }),
  ]
  const shared = { events: createEventStores(), limits: createSessionLimits(parts.sessions), requestLimitBytes, idleMs }
  const seated = {
    viewOf: parts.viewOf,
    files: files && (async () => files),
    ...shared,
    maxWaitSeconds,
    page,
    admit,
  }
  const bridge = createAgentEndpoint({ surface: bridgeSurface, ...seated })
  const agent = createAgentEndpoint({ surface: agentSurface, ...seated })
  const gateway = openGatewaySurface({ ...parts, wanted: parts.gateway ?? NOTHING_MOUNTED, admit, report })
  const { build, feed } = gateway
  const endpoints = {
    chat: endpoint(chat, resources),
    human: endpoint(human, resources),
    assistant: endpoint(assistant, resources),
    loop: endpoint(loop),
    ui: endpoint(ui, resources),
    orchestrator: endpoint(orchestrator, driving),
    gateway: createMcpEndpoint({ build, feed, ...shared }),
  }
  const reaper = setInterval(reap, Math.min(idleMs, 60_000)).unref()
  const mounts: Mount[] = [
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
  if (legacyUi) mounts.push({ path: '/mcp/ui', role: 'agent', fetch: endpoints.ui.fetch })
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
  return { mounts, tools, gateway: gateway.gateway, serve, listening, close }

  function endpoint(surface: Surface, resources?: Resources) {
    const build = ({ principal, calls }: Visit) => buildServer(surface, principal, { admit, ...calls })
    return createMcpEndpoint({ build, resources, ...shared })
  }

  /** A server of a surface for a connection of its own. */
  function serve(surface: ChatSurface, { era, ...visit }: LineVisit): Server {
    return endpoints[surface].serve({ ...visit, tells: era === 'modern' ? 'everything' : 'subscribed' })
  }

  function listening(surface: ChatSurface, principal: Principal): Listening | undefined {
    return endpoints[surface].listening(principal)
  }

  function reap() {
    for (const { reap } of Object.values(endpoints)) reap()
  }

  async function close() {
    clearInterval(reaper)
    await Promise.all([bridge, agent, gateway, ...Object.values(endpoints)].map(({ close }) => close()))
  }
}
