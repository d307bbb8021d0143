/** How patient the gateway is with a server. */
export interface Patience {
  /** For its first answers. */
  startMs: number
  /** Before it is started again; each time twice as long, up to the most. */
  backOffMs: number
  mostBackOffMs: number
  /** While calls wait and nothing comes, before it is asked whether it is there; and for that answer. */
  silenceMs: number
  pingMs: number
  /** One message. */
  messageBytes: number
  messagesASecond: number
}

export const PATIENCE: Patience = {
  startMs: 60_000,
  backOffMs: 1000,
  mostBackOffMs: 60_000,
  // A server that computes answers nothing meanwhile, and must not be taken for a dead one.
  silenceMs: 5 * 60_000,
  pingMs: 30_000,
  messageBytes: 32 * 1024 * 1024,
  messagesASecond: 5000,
}
