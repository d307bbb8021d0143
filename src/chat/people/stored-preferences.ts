import type { Mark, SavedReply } from '../../protocol/frames/preferences.ts'

/** How the names of the notes begin that are kept once for each person. */
export const DESK = 'desk '

/** The data kept once for each person; the marks are kept one by one, so that a change costs what it changes. */
export interface StoredPreferences {
  /** Everything up to here was there when they first came, and is no news. */
  since: string
  /** Conversations that are listed however old they are: those that are pinned or snoozed. */
  at_hand: string[]
  replies: SavedReply[]
}

/** Marks by conversation. */
export type Marks = Record<string, Mark>
