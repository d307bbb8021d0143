import type { ToolCaller } from './catch-up.ts'

/** The part of an MCP client that is needed. A connected `Client` of the v1 or the v2 SDK fits. */
export interface McpClient extends ToolCaller {
  subscribeResource(params: { uri: string }, options: { signal: AbortSignal }): Promise<unknown>
  unsubscribeResource(params: { uri: string }): Promise<unknown>
  readResource(
    params: { uri: string },
    options: { signal: AbortSignal; cacheMode: 'refresh' },
  ): Promise<{ contents: { uri: string; mimeType?: string; text?: unknown }[] }>
  /** What 2026-era connections have in the place of `subscribeResource`. */
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

/** An answer of the server, if only a no. Everything else means that there is no connection any more. */
export function isAnswer(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'number' && code < -1 && code !== CONNECTION_CLOSED && code !== REQUEST_TIMEOUT
}

// The v1 client gives its own failures codes beside those of JSON-RPC; HTTP statuses are positive or -1.
const CONNECTION_CLOSED = -32000
const REQUEST_TIMEOUT = -32001
