const MIB = 1024 * 1024

/** Length in characters. A text of 1 MiB may take several times its size as JSON. */
export const LONGEST_MESSAGE = 8 * MIB

/**
 * What one hub takes from its socket. Who shows the owner's key could end the hub as well, and is held to what a
 * connection may take alone; all the others together have to make do with so much, however many they are.
 */
export const LINK_LIMITS = Object.freeze({
  /** Characters of a hello or an order, and of what follows: a message, and what its line says about it. */
  helloLength: MIB,
  /** The longest hello without the key, which is kept with its line. */
  strangersHelloLength: 32 * 1024,
  frameLength: LONGEST_MESSAGE + 64 * 1024,
  /** What one line tells of places and answers that its agent had; each delivery and each id in it counts as one. */
  deliveredIds: 64,
  /** The same of all together, within so long. */
  allDeliveredIds: 1024,
  deliveredIdsMs: 10_000,
  /**
   * Limits for all strangers together: lines, connections, ports, and characters that are kept for them; see
   * `StrangerState` in strangers.ts.
   */
  lines: 512,
  connections: 2048,
  ports: 4,
  heldLength: 32 * MIB,
  /**
   * The limit for all strangers together: what calls take that wait for their answer, in characters and for each value
   * in them.
   */
  unansweredLength: 64 * MIB,
})

export type LinkLimits = { readonly [Name in keyof typeof LINK_LIMITS]: number }

/** How much of `deliveredIds` one takes. */
export function weightOf({ replies = [], ahead = [], calls = [] }: Told): number {
  return 1 + replies.length + ahead.length + calls.length
}

/** Delivered ids, or a place, which tells of none of these. */
export interface Told {
  replies?: readonly string[]
  ahead?: readonly string[]
  calls?: readonly string[]
}
