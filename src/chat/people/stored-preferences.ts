import { changeNote, type Notes, presentNotes } from '../../log/notes.ts'
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

/** Nobody has it at hand any more, whether they are here or not. */
export async function letGoOf(notes: Pick<Notes, 'get' | 'put' | 'follow'>, conversation: string): Promise<void> {
  const desks = await presentNotes(notes, DESK)
  await Promise.all(desks.map(({ name }) => changeNote(notes, name, withoutAtHand(conversation))))
}

/** What becomes of the desk of one person; nothing where it is not there. */
export function withoutAtHand(conversation: string) {
  return (value: unknown): StoredPreferences | undefined => {
    const stored = value as StoredPreferences | undefined
    if (!stored?.at_hand.includes(conversation)) return undefined
    return { ...stored, at_hand: stored.at_hand.filter((name) => name !== conversation) }
  }
}

/** Marks by conversation. */
export type Marks = Record<string, Mark>
