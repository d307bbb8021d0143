import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { WebSocket } from 'ws'
import type { Tool } from '../../src/doors/mcp/surface.ts'
import { agentSurface } from '../../src/doors/mcp/surfaces/agent-surface.ts'
import { bridgeSurface } from '../../src/doors/mcp/surfaces/bridge-surface.ts'
import { openHub } from '../../src/hub/hub.ts'
import { SURFACES, type SurfaceName } from '../../src/protocol/frames/surface-name.ts'

/** A surface as its clients find it. */
export interface ServedSurface {
  name: SurfaceName
  path: string
  instructions: string
  /** All that can be called. */
  tools: Tool[]
  /** The names of those that are listed for a client of its own role. */
  listed: string[]
  resources: { uri: string; title?: string; description?: string }[]
}

export type RunningHub = Awaited<ReturnType<typeof askRunningHub>>

/** Everything that only a hub at work can tell. It keeps nothing, and listens on a port that nobody knows. */
export async function askRunningHub() {
  const config = { host: '127.0.0.1', port: 0, data: 'memory' }
  const hub = await openHub(config, { page: (_request, _response, next) => next() })
  try {
    const { routes, servers } = hub.doors
    const surfaces: ServedSurface[] = []
    for (const name of SURFACES) surfaces.push(await surfaceAt(hub.url, name, toolsOf(name, servers)))
    const metrics = await (await fetch(`${hub.url}/metrics`)).text()
    return { routes, surfaces, metrics, dialects: await dialectsAt(hub.url), examples: await tryExamples(hub.url) }
  } finally {
    await hub.close()
  }
}

function toolsOf(name: SurfaceName, servers: Record<string, Tool[]>): Tool[] {
  const nobody = { sessionOf: () => Promise.reject(new Error('Nobody asks here')) }
  if (name === 'bridge') return bridgeSurface(nobody).tools
  return name === 'agent' ? agentSurface(nobody).tools : (servers[name] ?? [])
}

async function surfaceAt(url: string, name: SurfaceName, tools: Tool[]): Promise<ServedSurface> {
  const path = name === 'bridge' ? '/mcp' : `/mcp/${name}`
  const client = new Client({ name: 'reference', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url + path)))
  const listed = (await client.listTools()).tools.map((tool) => tool.name)
  const resources = client.getServerCapabilities()?.resources ? await resourcesOf(client) : []
  const instructions = client.getInstructions() ?? ''
  await client.close()
  return { name, path, instructions: instructions.replaceAll(url, 'http://localhost:4117'), tools, listed, resources }
}

async function resourcesOf(client: Client) {
  const { resources } = await client.listResources()
  const { resourceTemplates } = await client.listResourceTemplates()
  return [...resources, ...resourceTemplates.map(({ uriTemplate, ...template }) => ({ ...template, uri: uriTemplate }))]
}

/** A dialect that there is not is refused with those that there are. */
function dialectsAt(url: string): Promise<string[]> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?dialect=nowhere`)
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('unexpected-response', async (_request, response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve(/known: ([a-z, ]+)/.exec(text)?.[1]?.split(', ') ?? [])
    })
  })
}

/** Requests that the pages show, each with its answer. */
const EXAMPLES = [
  {
    route: 'POST /api/tools/:name',
    path: '/api/tools/chat_human_post',
    body: { mime: 'text/markdown', content: 'Hello!', session_id: 'website' },
  },
  {
    route: 'POST /api/mcp/call',
    path: '/api/mcp/call',
    body: { server: 'chat', tool: 'chat_read_since', arguments: { session_id: 'website' } },
  },
  { route: 'GET /healthz', path: '/healthz' },
  { route: 'GET /readyz', path: '/readyz' },
]

async function tryExamples(url: string) {
  const tried = new Map<string, { path: string; body?: object; answer: string }>()
  for (const { route, path, body } of EXAMPLES) {
    const response = await fetch(url + path, body && { method: 'POST', body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${route} answers ${response.status}: ${await response.text()}`)
    tried.set(route, { path, body, answer: withoutChance(JSON.stringify(await response.json(), undefined, 2)) })
  }
  return tried
}

/** Ids and times are others each time. */
function withoutChance(json: string): string {
  return json.replace(/\d{16}/g, '0007315000000001').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-11-18T09:30:00.000Z')
}
