import { expect } from 'vitest'
import { buildServer, type Surface, type Tool, toolsOf } from '../../../src/doors/mcp/surface.ts'
import { agentSurface } from '../../../src/doors/mcp/surfaces/agent-surface.ts'
import { type AgentSurfaceParts, bridgeSurface } from '../../../src/doors/mcp/surfaces/bridge-surface.ts'
import { FORWARDED } from '../../../src/governance/gateway/forwarding.ts'
import { EVENTS } from '../../../src/protocol/frames/driving.ts'
import { INBOX, inboxUri, STATUS } from '../../../src/protocol/frames/inbox.ts'
import type { SurfaceName } from '../../../src/protocol/frames/surface-name.ts'
import { localPrincipal } from '../../../src/protocol/principal.ts'
import { eventually } from '../eventually.ts'
import { type Actor, HERE, type TableHub } from './actors.ts'
import { attachedIn } from './attached.ts'
import { inputOf, setScene } from './scene.ts'
import { schemaOf } from './tool-schema.ts'

/** A request of MCP. */
export interface Rpc {
  method: string
  params: Record<string, unknown>
}

/** The tool of the one mounted server; a person is asked about it. */
const MOUNTED = 'lib_lend'
const MOUNTED_RESOURCE = 'gateway://lib/memo://open'

/** Everything that a server of this surface answers: each method, and each tool, resource and template by itself. */
export async function actsOf(hub: TableHub, surface: SurfaceName): Promise<string[]> {
  const server = serverOf(hub, surface) as unknown as Answering
  const methods = [...server._requestHandlers.keys(), ...(surface === 'gateway' ? FORWARDED : [])]
  const acts = await Promise.all(methods.map((method) => actsAt(method)))
  await server.close()
  return acts.flat()

  async function actsAt(method: string): Promise<string[]> {
    if (method === 'tools/call') return calls().map((name) => `${method} ${name}`)
    if (!/^resources\/(read|subscribe|unsubscribe)$/.test(method)) return [method]
    const uris = await eventually(async () => {
      const uris = await listed('resources/list', 'resources', 'uri')
      // A mounted server that takes its time is listed later.
      if (surface === 'gateway') expect(uris).toContain(MOUNTED_RESOURCE)
      return uris
    })
    const templates = await listed('resources/templates/list', 'resourceTemplates', 'uriTemplate')
    return [...uris, ...templates].map((uri) => `${method} ${uri}`)
  }

  function calls(): string[] {
    return [...toolsAt(hub, surface).map(({ name }) => name), ...(surface === 'gateway' ? [MOUNTED] : [])]
  }

  async function listed(method: string, name: string, of: string): Promise<string[]> {
    const context = { mcpReq: { id: 1, signal: new AbortController().signal } }
    const answer = server._requestHandlers.get(method) ?? server.fallbackRequestHandler
    const all = await answer?.({ jsonrpc: '2.0', id: 1, method, params: {} }, context)
    return ((all?.[name] ?? []) as Record<string, string>[]).map((one) => one[of] ?? '')
  }
}

/** The SDK tells nobody else what it answers. */
interface Answering {
  _requestHandlers: Map<string, Handler>
  fallbackRequestHandler?: Handler
  close(): Promise<void>
}

type Handler = (request: object, context: object) => Promise<Record<string, unknown>>

function serverOf(hub: TableHub, surface: SurfaceName) {
  const principal = localPrincipal('admin')
  if (surface === 'bridge' || surface === 'agent') return buildServer(agentsSurface(surface), principal)
  return hub.serve(surface, { era: 'legacy', principal })
}

function toolsAt({ doors }: TableHub, surface: SurfaceName): Tool[] {
  return surface === 'bridge' || surface === 'agent' ? toolsOf(agentsSurface(surface)) : doors.servers[surface]
}

/** Only told about, and never called. */
function agentsSurface(surface: 'bridge' | 'agent'): Surface {
  const nothing = () => Promise.reject(new Error('Nobody is here'))
  const parts: AgentSurfaceParts = { sessionOf: nothing, files: nothing }
  return surface === 'bridge' ? bridgeSurface(parts) : agentSurface(parts)
}

const PARAMS: Record<string, Record<string, unknown>> = {
  'prompts/get': { name: 'lib_greet' },
  'completion/complete': { ref: { type: 'ref/prompt', name: 'lib_greet' }, argument: { name: 'who', value: '' } },
  'logging/setLevel': { level: 'error' },
}

/** What is said for an act, once everything is there that it is about. */
export async function rpcFor(act: string, actor: Actor, surface: SurfaceName): Promise<Rpc> {
  const [method = '', about = ''] = act.split(' ')
  const scene = await setScene(actor, act, 'orchestrator')
  if (method === 'tools/call') {
    const tool = toolsAt(actor.hub, surface).find(({ name }) => name === about)
    const input = inputOf(about, tool ? schemaOf(tool) : {}, scene)
    return { method, params: { name: about, arguments: input } }
  }
  if (about !== '') return { method, params: { uri: await uriOf(about, actor.hub) } }
  return { method, params: PARAMS[method] ?? {} }
}

async function uriOf(template: string, hub: TableHub): Promise<string> {
  switch (template) {
    case INBOX:
    case STATUS:
    case EVENTS:
      return template
    case `${INBOX}/{session_id}`:
      return inboxUri(HERE)
    case `${EVENTS}/{session_id}`:
      return `${EVENTS}/${HERE}`
    case 'parley://attachments/{hash}/{name}':
      return `parley://attachments/${await attachedIn(hub, HERE)}/a.txt`
    case 'ui://gateway/mounts/{name}':
      return 'ui://gateway/mounts/lib'
    default:
      return template
  }
}
