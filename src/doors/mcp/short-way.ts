import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Implementation,
  type JSONRPCMessage,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  type RequestId,
  SERVER_INFO_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Called } from './call-key.ts'
import type { Era } from './era.ts'

/** A call of a tool about which there is nothing to refuse before its tool is looked for. */
interface PlainCall {
  jsonrpc: '2.0'
  id: RequestId
  method: 'tools/call'
  params: Called & { _meta?: Record<string, unknown> }
}

/** As much of the SDK's context as a call of a tool needs. */
export type CallContext = Pick<ServerContext, 'http'> & {
  mcpReq: Pick<ServerContext['mcpReq'], 'id' | '_meta' | 'signal' | 'notify' | 'envelope'>
}

export interface ShortWayParts {
  call(request: { params: PlainCall['params'] }, context: CallContext): Promise<CallToolResult>
  /** Sends an answer, and knows what it carries. */
  depart(message: JSONRPCMessage, send: () => Promise<void>): Promise<void>
  notify: CallContext['mcpReq']['notify']
  /** In the 2025 era a client says once who it is. */
  hasClient(): boolean
  /** In the era of 2026 it says so with each request: what the SDK let through last. */
  envelope(): unknown
  serverInfo: Implementation
}

export type ShortWay = ReturnType<typeof createShortWay>

const KEYS = new Set(['jsonrpc', 'id', 'method', 'params'])
const PARAMS = new Set(['name', 'arguments', '_meta'])
/** These mean something to the SDK. */
const RESERVED = 'io.modelcontextprotocol/'
/** What a request of the 2026 era says of its client, in the order in which the SDK hands it on. */
const ENVELOPE = [PROTOCOL_VERSION_META_KEY, CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY, LOG_LEVEL_META_KEY]
/** No client nests more than this to say who it is. */
const DEEPEST = 16
/** The SDK drops it. */
const PROTOTYPE = '__proto__'

/**
 * Answers calls of the hub's own tools without what the SDK makes and checks for each request. It takes only requests
 * that the SDK would pass on as they are, and answers with the same bytes; whatever is odd about one, the SDK refuses.
 * In the 2026 era, the first request of a client and each that says something else of it is the SDK's.
 */
export function createShortWay(
  { call, depart, notify, hasClient, envelope, serverInfo }: ShortWayParts,
  era: Era,
  send: (message: JSONRPCMessage) => Promise<void>,
) {
  const underWay = new Map<RequestId, AbortController>()
  const stamp = { resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: serverInfo } }
  return { takes, take, cancel, close }

  function takes(message: unknown): message is PlainCall {
    if (era === 'legacy') return hasClient() && isPlainCall(message)
    const known = envelope()
    return known !== undefined && isPlainCall(message, known)
  }

  function take({ id, params: { _meta, ...called } }: PlainCall) {
    const controller = new AbortController()
    underWay.set(id, controller)
    const { signal } = controller
    const lifted = era === 'legacy' ? { _meta } : lift(_meta)
    const over = () => {
      if (underWay.get(id) === controller) underWay.delete(id)
    }
    const answer = (message: JSONRPCMessage) => {
      if (signal.aborted) return over()
      // A line that is gone needs no answer; what it carried has come back.
      depart(message, () => send(message)).then(over, over)
    }
    call({ params: called }, { mcpReq: { id, signal, notify, ...lifted } })
      .then(
        (result) => answer({ result: era === 'legacy' ? result : { ...result, ...stamp }, jsonrpc: '2.0', id }),
        (error) => answer({ jsonrpc: '2.0', id, error: problemOf(error) }),
      )
      .catch(over)
  }

  function cancel(id: RequestId) {
    underWay.get(id)?.abort()
    underWay.delete(id)
  }

  function close() {
    for (const id of underWay.keys()) cancel(id)
  }
}

/** `envelope`: what its client says of itself with each request, where it does. */
export function isPlainCall(message: unknown, envelope?: unknown): message is PlainCall {
  const { jsonrpc, id, method, params } = message as Partial<PlainCall>
  if (method !== 'tools/call' || jsonrpc !== '2.0' || !isId(id) || !isObject(params)) return false
  if (!hasOnly(message as object, KEYS) || !hasOnly(params, PARAMS) || typeof params.name !== 'string') return false
  if (params.arguments !== undefined && !isPlainInput(params.arguments)) return false
  if (envelope === undefined) return params._meta === undefined || isPlainMeta(params._meta)
  if (!isObject(params._meta)) return false
  const lifted = lift(params._meta)
  return isSame(lifted.envelope, envelope) && (lifted._meta === undefined || isPlainMeta(lifted._meta))
}

/** Takes apart what a request says of its client, and what it says of itself. */
function lift(meta: Record<string, unknown> = {}) {
  const envelope: Record<string, unknown> = {}
  const _meta = { ...meta }
  for (const name of ENVELOPE) {
    if (!(name in meta)) continue
    envelope[name] = meta[name]
    delete _meta[name]
  }
  return { envelope, _meta: Object.keys(_meta).length > 0 ? _meta : undefined }
}

/** What is nested too deep to be compared is never the same. */
function isSame(one: unknown, other: unknown, depth = DEEPEST): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  if (depth === 0 || Array.isArray(one) !== Array.isArray(other)) return false
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every(
    (name) => Object.hasOwn(other, name) && isSame(one[name as never], other[name as never], depth - 1),
  )
}

function isPlainInput(input: unknown): boolean {
  return isObject(input) && !Object.hasOwn(input, PROTOTYPE)
}

function isPlainMeta(meta: unknown): boolean {
  if (!isObject(meta)) return false
  const { progressToken } = meta
  if (progressToken !== undefined && !isId(progressToken)) return false
  return Object.keys(meta).every((name) => !name.startsWith(RESERVED) && name !== PROTOTYPE)
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasOnly(value: object, known: Set<string>): boolean {
  for (const name in value) if (!known.has(name)) return false
  return true
}

/** As the SDK tells it. */
function problemOf(error: { code?: unknown; message?: string; data?: unknown }) {
  const code = Number.isSafeInteger(error.code) ? (error.code as number) : ProtocolErrorCode.InternalError
  const { message = 'Internal error', data } = error
  return { code, message, ...(data !== undefined && { data }) }
}
