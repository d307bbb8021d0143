import { ERRORS, type ErrorCode } from '../protocol/errors.ts'
import { problemInName } from '../protocol/text/name.ts'

/** A JSON-RPC message, as far as a line looks into it. */
export interface Rpc {
  jsonrpc: '2.0'
  id?: unknown
  method?: unknown
  params?: { uri?: unknown; requestId?: unknown; clientInfo?: unknown; _meta?: Record<string, unknown> }
  result?: unknown
  error?: unknown
}

export function isRequest({ id, method }: Rpc): boolean {
  return typeof method === 'string' && id !== undefined && id !== null
}

export function isAnswer({ id, method }: Rpc): boolean {
  return method === undefined && id !== undefined && id !== null
}

/** A request of this name is none. */
export function isCancel(message: Rpc): boolean {
  return message.method === 'notifications/cancelled' && !isRequest(message)
}

/** What the client calls itself, where this says it: once for all, or with each request. */
export function clientIn({ params }: Rpc): string | undefined {
  const info = params?.clientInfo ?? params?._meta?.['io.modelcontextprotocol/clientInfo']
  const { name } = (info ?? {}) as { name?: unknown }
  return typeof name === 'string' && problemInName(name) === undefined ? name : undefined
}

/** An answer that is no. */
export function refusal(id: unknown, code: ErrorCode, message: string = ERRORS[code].text): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: ERRORS[code].rpc, message } })
}

export function resourceUpdated(uri: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } })
}
