import { breakFrame, type Fields, wholeFrame } from '../fuzz/broken-frames.ts'
import { type Asked, ask } from './asking.ts'
import { madeBy, type Schema } from './values.ts'
import type { Who, World } from './world.ts'

const MODERN = '2026-07-28'
const LEGACY = '2025-11-25'
const INFO = { name: 'fuzz', version: '1' }
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': INFO,
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Every mount, and who belongs there. */
export const MOUNTS: Record<string, Who> = {
  '/mcp': 'robot',
  '/mcp/agent': 'robot',
  '/mcp/chat': 'root',
  '/mcp/human': 'ada',
  '/mcp/assistant': 'robot',
  '/mcp/loop': 'robot',
  '/mcp/orchestrator': 'boss',
  '/mcp/gateway': 'robot',
  '/mcp/ui': 'robot',
}
/** Who does not hear which tools there are can call none of them. */
const ARRIVAL_MS = 10_000
const ANYONE: Who[] = ['ada', 'robot', 'boss', 'root', 'nobody', 'stranger']

export interface Tool {
  name: string
  inputSchema: Schema
}

/** One client of one mount and one era, which says what it should and what it should not. */
export function mcpDoor(world: World, path: string, era: 'legacy' | 'modern') {
  const { dice } = world
  const belongs = MOUNTS[path] as Who
  let who = belongs
  let session: string | undefined
  let tools: Tool[] = []
  let uris = ['ui://chat/inbox', 'chat://inbox', 'nothing://here']
  let ids = 0
  return { name: `${path} (${era})`, step, tools: () => tools }

  async function step() {
    if (tools.length === 0 || dice.chance(0.02)) await arrive()
    if (era === 'legacy' && dice.chance(0.02)) return stream()
    const { method, params } = message()
    const fields: Fields = [
      ['jsonrpc', '"2.0"'],
      ...(method.startsWith('notifications/') ? [] : [['id', String(++ids)] as Fields[number]]),
      ['method', JSON.stringify(method)],
      ['params', JSON.stringify(era === 'modern' ? { ...params, _meta: META } : params)],
    ]
    const { bytes } = dice.chance(0.5) ? wholeFrame(fields) : breakFrame(dice, fields)
    const name = dice.chance(0.9) ? (params as { name?: string }).name : 'other'
    await post(bytes, { 'mcp-method': method, ...(name && { 'mcp-name': name }) })
  }

  /** Comes as who belongs there first, to see what there is; then as anybody. */
  async function arrive() {
    // Most end what they began; the others are why sessions have limits.
    if (session && dice.chance(0.9)) await ask(world, { who, method: 'DELETE', path, headers: headers() })
    who = belongs
    session = undefined
    if (era === 'legacy') {
      const params = { protocolVersion: LEGACY, capabilities: {}, clientInfo: INFO }
      const { headers } = await say('initialize', params)
      session = headers?.get('mcp-session-id') ?? undefined
      await say('notifications/initialized', {})
    }
    tools = found(await say('tools/list', {}), 'tools') as Tool[]
    const resources = found(await say('resources/list', {}), 'resources') as { uri: string }[]
    uris = [...uris.slice(0, 3), ...resources.slice(0, 20).map(({ uri }) => uri)]
    if (dice.chance(0.3)) who = dice.pick(ANYONE)
  }

  function message(): { method: string; params: object } {
    const tool = tools.length > 0 ? dice.pick(tools) : undefined
    if (tool && dice.chance(0.7)) {
      return { method: 'tools/call', params: { name: tool.name, arguments: madeBy(tool.inputSchema, world) } }
    }
    const uri = dice.pick(uris)
    return dice.pick([
      { method: 'resources/read', params: { uri } },
      { method: 'resources/subscribe', params: { uri } },
      { method: 'resources/unsubscribe', params: { uri } },
      { method: 'subscriptions/listen', params: { uris: [uri] } },
      { method: 'resources/templates/list', params: {} },
      { method: 'tools/list', params: { cursor: dice.pick(world.stock.questions) } },
      { method: 'prompts/list', params: {} },
      {
        method: 'completion/complete',
        params: { ref: { type: 'ref/resource', uri }, argument: { name: 'a', value: '' } },
      },
      { method: 'ping', params: {} },
      { method: 'server/discover', params: {} },
      { method: 'notifications/cancelled', params: { requestId: ids - dice.below(3) } },
      { method: 'logging/setLevel', params: { level: 'debug' } },
      { method: 'toString', params: {} },
    ])
  }

  function say(method: string, params: object): Promise<Asked> {
    const id = method.startsWith('notifications/') ? {} : { id: ++ids }
    const body = { jsonrpc: '2.0', ...id, method, params: era === 'modern' ? { ...params, _meta: META } : params }
    return post(Buffer.from(JSON.stringify(body)), { 'mcp-method': method }, ARRIVAL_MS)
  }

  function post(body: Uint8Array, more: Record<string, string>, patienceMs?: number): Promise<Asked> {
    const all = { ...headers(), ...(era === 'modern' && more) }
    return ask(world, { who, method: 'POST', path, body, headers: all, patienceMs })
  }

  /** What a client of the 2025 era hears, for a moment; or its end. */
  async function stream() {
    const method = dice.chance(0.8) ? 'GET' : 'DELETE'
    await ask(world, { who, method, path, headers: headers() })
    if (method === 'GET') return
    tools = []
    session = undefined
  }

  function headers(): Record<string, string> {
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': era === 'modern' ? MODERN : LEGACY,
      ...(session && { 'mcp-session-id': dice.chance(0.97) ? session : 'other' }),
    }
  }
}

function found({ text }: Asked, name: string): unknown[] {
  const json = text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? '{}')
  return (JSON.parse(json) as { result?: Record<string, unknown[]> }).result?.[name] ?? []
}
