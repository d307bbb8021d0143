import type { MostASecond } from '../upstream/reading-rate.ts'

/** How patient the gateway is with a server. */
export interface Patience {
  /** For its first answers. */
  startMs: number
  /** While it has just been started, before who lists tools or calls those of others does without it. */
  firstTryMs: number
  /** Before it is started again; each time twice as long, up to the most. */
  backOffMs: number
  mostBackOffMs: number
  /** While calls wait and nothing comes, before it is asked whether it is there; and for that answer. */
  silenceMs: number
  pingMs: number
  /** While it cannot be told for whose call a server asks. */
  unclearMs: number
  /** For a person to sign in to it. */
  signInMs: number
  /** For a list of resources, before the client gets those of the others. */
  lateMs: number
  /** One message. */
  messageBytes: number
  messagesASecond: number
  /** What is read of it in a second; the rest waits. */
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
