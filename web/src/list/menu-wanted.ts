import type { Conversation } from '../state/conversation/conversation.svelte.ts'

/** The wanted menu of a conversation: all of it, or one thing that a key asks for. */
export interface MenuWanted {
  conversation: Conversation
  /** The element beside which it opens, or the pointer's place. */
  at: HTMLElement | MouseEvent
  part?: 'pin' | 'mute' | 'archive' | 'snooze' | 'rename' | 'export' | 'forget'
  rename: () => void
}
