import type { ToolCaller } from './catch-up.ts'

/** The part of an MCP client that is needed. A connected `Client` of the v1 or the v2 SDK fits. */
export interface McpClient extends ToolCaller {
  subscribeResource(params: { uri: string }, options: { signal: AbortSignal }): Promise<unknown>
  unsubscribeResource(params: { uri: string }): Promise<unknown>
  readResource(
    params: { uri: string },
    options: { signal: AbortSignal; cacheMode: 'refresh' },
  ): Promise<{ contents: { uri: string; mimeType?: string; text?: unknown }[] }>
  /** The replacement of `subscribeResource` on 2026-era connections. */
  listen?(filter: { resourceSubscriptions: string[] }, options: { signal: AbortSignal }): Promise<Listening>
  getProtocolEra?(): 'modern' | 'legacy' | undefined
  close(): Promise<void>
  onclose?: () => void
  onerror?: (error: Error) => void
  fallbackNotificationHandler?: (notification: Notification) => Promise<void>
}

export interface Listening {
  readonly closed: Promise<unknown>
  close(): Promise<void>
}

interface Notification {
  method: string
  params?: { [name: string]: unknown }
}

/** Whether the server answered, if only with a no. */
export function isAnswer(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'number' && code < -1 && code !== CONNECTION_CLOSED && code !== REQUEST_TIMEOUT
}

/** Whether the server does not let us in. A session that it no longer knows is no refusal: there is a next one. */
export function isRefused(error: unknown): boolean {
  const status = statusOf(error)
  return status !== undefined && status >= 400 && status < 500 && !GONE_OR_LATER.includes(status)
}

/** A client that is being connected has no session yet, and what it sends meanwhile is answered so. */
export function hasNoSession(error: unknown): boolean {
  return statusOf(error) === 400
}

function statusOf(error: unknown): number | undefined {
  const { status, code } = (error instanceof Error ? error : {}) as { status?: unknown; code?: unknown }
  const http = typeof status === 'number' ? status : code
  return typeof http === 'number' ? http : undefined
}

// The v1 client gives its own failures codes beside those of JSON-RPC; HTTP statuses are positive or -1.
const CONNECTION_CLOSED = -32000
const REQUEST_TIMEOUT = -32001
const GONE_OR_LATER = [404, 408, 409, 425, 429]
