import type { MostASecond } from '../upstream/reading-rate.ts'

/** How patient the gateway is with a server. */
export interface Patience {
  /** The time for its first answers. */
  startMs: number
  /**
   * The time for a server that has just been started, before a client that lists tools or calls those of others does
   * without it.
   */
  firstTryMs: number
  /** The time before it is started again; each time twice as long, up to the most. */
  backOffMs: number
  mostBackOffMs: number
  /** The silence while calls wait, before it is asked whether it is there; and the time for that answer. */
  silenceMs: number
  pingMs: number
  /** The time that a server's question waits while it cannot be told for whose call it is. */
  unclearMs: number
  /** The time for a person to sign in to it. */
  signInMs: number
  /** The time for a list of resources, before the client gets those of the others. */
  lateMs: number
  /** One message. */
  messageBytes: number
  messagesASecond: number
  /** The amount that is read of it in a second; the rest waits. */
  mostASecond: MostASecond
}

export const PATIENCE: Patience = {
  startMs: 60_000,
  firstTryMs: 5000,
  backOffMs: 1000,
  mostBackOffMs: 60_000,
  // A server that computes answers nothing meanwhile, and must not be taken for a dead one.
  silenceMs: 5 * 60_000,
  pingMs: 30_000,
  unclearMs: 60_000,
  signInMs: 10 * 60_000,
  lateMs: 2000,
  messageBytes: 32 * 1024 * 1024,
  messagesASecond: 5000,
  mostASecond: { bytes: 32 * 1024 * 1024, values: 1_000_000, messages: 500 },
}
