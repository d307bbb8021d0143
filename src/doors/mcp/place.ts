import type { Home } from '../../protocol/principal.ts'

/** The place of a call that names no conversation, and whose it is. */
export interface Place {
  /** The conversation of its visit; absent where programs meet. */
  home?: Home
  /** The folder that its agent is proven to work in; empty where nothing proves one. */
  folder: string
  visit: string
}

export type PlaceOf = (caller: { client: string; run?: string }) => Place
