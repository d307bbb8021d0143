import type { Conversation } from '../state/conversation/conversation.svelte.ts'

/** How a new conversation is wanted: with what another one began, or with all that was said there. */
export interface Beginning {
  again?: Conversation
  /** Up to this entry, where it is not all of it. */
  fork?: { of: Conversation; entry?: string }
}

/** A new conversation is wanted: a key, the list or a menu says so, and one place asks for the rest. */
class Wish {
  now = $state.raw<Beginning>()
}

export const beginning = new Wish()
