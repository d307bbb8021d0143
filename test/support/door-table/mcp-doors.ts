import { SURFACES, type SurfaceName } from '../../../src/protocol/frames/surface-name.ts'
import { SOAK } from '../../log/contract/place.ts'
import { type Actor, HERE, type TableHub } from './actors.ts'
import type { Door } from './door.ts'
import { actsOf, type Rpc, rpcFor } from './mcp-acts.ts'
import { type Outcome, ofAnswer, ofRpc, type RpcAnswer } from './verdict.ts'

const LEGACY = '2025-11-25'
const MODERN = '2026-07-28'
const INFO = { name: 'tabled', version: '1' }
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': INFO,
  'io.modelcontextprotocol/clientCapabilities': {},
}
export const INITIALIZE = { protocolVersion: LEGACY, capabilities: {}, clientInfo: INFO }
/** What clients of the 2026 era say in other words, or never. */
const LEGACY_ONLY = /^(initialize|ping|logging|resources\/(un)?subscribe|tasks)/

/** Each path that MCP is spoken at, by the routes. */
export async function mcpDoors(hub: TableHub): Promise<Door[]> {
  const paths = hub.doors.routes.filter(({ method, path }) => method === 'ALL' && path.startsWith('/mcp'))
  return Promise.all(paths.map(async ({ path }) => mcpDoor(path, await actsOf(hub, surfaceAt(path)))))
}

function surfaceAt(path: string): SurfaceName {
  const name = path === '/mcp' ? 'bridge' : path.slice('/mcp/'.length)
  const surface = SURFACES.find((one) => one === name)
  if (!surface) throw new Error(`Nobody knows which surface is at ${path}`)
  return surface
}

/**
 * In both eras, which are one door: what is refused in one is refused in the other. Each actor and each act is met in
 * both, but without `PARLEY_SOAK` an actor does one act in one of them, by turns.
 */
function mcpDoor(path: string, acts: string[]): Door {
  const sessions = new Map<Actor, string>()
  const turns = new Map<string, number>()
  return { name: `MCP at ${path}`, quarter: 0, acts, drive }

  async function drive(act: string, actor: Actor): Promise<Outcome> {
    if (LEGACY_ONLY.test(act)) return legacy()
    if (SOAK <= 1) return isModernsTurn(act) ? modern() : legacy()
    const [old, now] = [await legacy(), await modern()]
    return old === now ? old : `${old}, and ${now} in the 2026 era`

    async function legacy() {
      return inSession(await rpcFor(act, actor, surfaceAt(path)), actor)
    }

    async function modern() {
      return alone(await rpcFor(act, actor, surfaceAt(path)), actor)
    }
  }

  /** The next act begins with the other era, so that it is not always the same actors who meet one. */
  function isModernsTurn(act: string): boolean {
    const turn = turns.get(act) ?? acts.indexOf(act)
    turns.set(act, turn + 1)
    return turn % 2 === 1
  }

  async function inSession(rpc: Rpc, actor: Actor): Promise<Outcome> {
    const session = sessions.get(actor) ?? (await begin(actor))
    const params = rpc.method === 'initialize' ? INITIALIZE : rpc.params
    const isFirst = rpc.method === 'initialize'
    const headers = { 'mcp-protocol-version': LEGACY, ...(session && !isFirst && { 'mcp-session-id': session }) }
    return (await post({ ...rpc, params }, actor, headers)).verdict
  }

  async function begin(actor: Actor): Promise<string | undefined> {
    const { session } = await post({ method: 'initialize', params: INITIALIZE }, actor, {})
    if (session) sessions.set(actor, session)
    return session
  }

  async function alone({ method, params }: Rpc, actor: Actor): Promise<Outcome> {
    const about = params.name ?? params.uri
    const headers = {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof about === 'string' && { 'mcp-name': about }),
    }
    return (await post({ method, params: { ...params, _meta: META } }, actor, headers)).verdict
  }

  async function post(rpc: Rpc, { hub, headers }: Actor, more: Record<string, string>) {
    const response = await fetch(`${hub.url}${path}?session=${HERE}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
        ...more,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...rpc }),
      signal: AbortSignal.timeout(10_000),
    })
    const text = await response.text()
    const session = response.headers.get('mcp-session-id') ?? undefined
    const answer = answerIn(text)
    return { session, verdict: answer ? ofRpc(answer) : ofAnswer(response.status, text) }
  }
}

/** The answer itself, of an answer that may be a stream. */
function answerIn(text: string): RpcAnswer | undefined {
  const messages = text.startsWith('{') ? [text] : [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => data)
  return messages
    .map((message) => JSON.parse(message) as RpcAnswer)
    .find(({ result, error }) => result !== undefined || typeof error === 'object')
}
