import type { Talk } from '../state/conversation/talk.svelte.ts'

/** What can be done with a conversation: all of it, or one thing that a key asks for. */
export interface MenuWanted {
  talk: Talk
  /** Beside this element, or at a place of the pointer. */
  at: HTMLElement | MouseEvent
  part?: 'pin' | 'mute' | 'archive' | 'snooze' | 'rename' | 'forget'
  rename: () => void
}
