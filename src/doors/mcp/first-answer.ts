import { AGENT_SERVER, type AgentSurfaceName, instructionsOf, serverInfo } from './introduction.ts'

/** A handshake of the 2025 era about which there is nothing to refuse. */
interface PlainInitialize {
  jsonrpc: '2.0'
  id: string | number
  method: 'initialize'
  params: { protocolVersion: string; capabilities: Known; clientInfo: Known }
}

type Known = Record<string, unknown>
type Check = (value: unknown) => boolean

/** Those that the SDK answers with themselves. */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']
/** The SDK refuses what is nested much deeper. */
const DEEPEST = 16
const CAPABILITIES = { bridge: { tools: {} }, agent: { tools: {}, resources: {} } }

/**
 * The answer to a plain handshake, in the very bytes of the SDK, which takes longer to load than the rest of a start.
 * Nothing where anything about the request is odd: that is for the SDK to say.
 */
export function firstAnswer(surface: AgentSurfaceName, message: unknown, url: string): object | undefined {
  if (!isPlain(message)) return undefined
  const result = {
    protocolVersion: message.params.protocolVersion,
    capabilities: CAPABILITIES[surface],
    serverInfo: serverInfo(AGENT_SERVER),
    instructions: instructionsOf(surface, () => ({ url, open: false })),
  }
  return { result, jsonrpc: '2.0', id: message.id }
}

const isText: Check = (value) => typeof value === 'string'
const isEmpty = holding({})
const isClient = holding({ name: isText, version: isText }, { title: isText, websiteUrl: isText, description: isText })
const isCapable = holding(
  {},
  {
    roots: holding({}, { listChanged: (value) => typeof value === 'boolean' }),
    sampling: holding({}, { context: isEmpty, tools: isEmpty }),
    elicitation: holding({}, { form: isEmpty, url: isEmpty }),
    experimental: isOfObjects,
    extensions: isOfObjects,
  },
)
const isHandshake = holding({
  protocolVersion: (value) => VERSIONS.includes(value as string),
  capabilities: isCapable,
  clientInfo: isClient,
})
const isPlainRequest = holding({
  jsonrpc: (value) => value === '2.0',
  id: (value) => typeof value === 'string' || Number.isSafeInteger(value),
  method: (value) => value === 'initialize',
  params: isHandshake,
})

function isPlain(message: unknown): message is PlainInitialize {
  return isPlainRequest(message)
}

/** Whether something is an object with these, with no other than those, and each as it should be. */
function holding(needed: Record<string, Check>, allowed: Record<string, Check> = {}): Check {
  const known = new Map(Object.entries({ ...needed, ...allowed }))
  return (value) =>
    isObject(value) &&
    Object.keys(needed).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, held]) => known.get(name)?.(held) ?? false)
}

function isOfObjects(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isObject) && isFlat(value)
}

function isFlat(value: unknown, depth = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((held) => isFlat(held, depth - 1))
}

function isObject(value: unknown): value is Known {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
