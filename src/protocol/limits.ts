/** What one hub lets in, and how long it waits for those who do not read. */
export interface Limits {
  /** Commands a second that one principal may send in the long run; four times as many at once. */
  rate: number
  /** WebSockets and MCP requests that are open at the same time. */
  connections: number
  /** The longest text, in bytes of UTF-8. */
  messageBytes: number
  /** What a WebSocket client may leave unread before nothing more is produced for it. */
  unreadBytes: number
  /** How often a WebSocket client must show that it is there. */
  heartbeatSeconds: number
}

const MIB = 1024 * 1024

export const DEFAULT_LIMITS: Readonly<Limits> = Object.freeze({
  rate: 500,
  connections: 10_000,
  messageBytes: MIB,
  unreadBytes: MIB,
  heartbeatSeconds: 25,
})
