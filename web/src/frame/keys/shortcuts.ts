import { isTyping } from './keys.ts'

export type Shortcut =
  | 'next'
  | 'previous'
  | 'needy'
  | 'triage'
  | 'beside'
  | 'new'
  | 'write'
  | 'stop'
  | 'rename'
  | 'export'
  | 'settings'
  | 'theme'
  | 'help'

interface Keys {
  /** The search knows its keys itself. */
  does: Shortcut | 'search'
  says: string
  /** One key, which counts only where nobody types. */
  letter?: string
  /** A key with modifiers, which counts everywhere. `Mod` is Ctrl, or Command on a Mac. */
  chord?: string
}

/** All that the palette can do, too; what has no keys is only there. */
export const SHORTCUTS: Keys[] = [
  { does: 'needy', says: 'Next conversation that needs you', letter: 'n', chord: 'Alt+Shift+ArrowDown' },
  { does: 'triage', says: 'Answer all, one by one', letter: 'N', chord: 'Alt+Shift+Enter' },
  { does: 'next', says: 'Next conversation', letter: 'j', chord: 'Alt+ArrowDown' },
  { does: 'previous', says: 'Previous conversation', letter: 'k', chord: 'Alt+ArrowUp' },
  { does: 'beside', says: 'Second conversation', chord: 'Mod+\\' },
  { does: 'new', says: 'New conversation' },
  { does: 'write', says: 'Write a message', letter: 'c' },
  { does: 'stop', says: 'Stop the agent, with what you typed', chord: 'Mod+Shift+Enter' },
  { does: 'rename', says: 'Rename this conversation' },
  { does: 'export', says: 'Export this conversation' },
  { does: 'search', says: 'Search', letter: '/', chord: 'Mod+k' },
  { does: 'settings', says: 'Settings' },
  { does: 'theme', says: 'Light, dark or system', letter: 't' },
  { does: 'help', says: 'Keyboard shortcuts', letter: '?', chord: 'Mod+/' },
]

type Press = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'isComposing' | 'target'>

/** The meaning of a press of keys. `letters`: whether single letters mean anything. */
export function shortcutOf(press: Press, letters: boolean): Shortcut | undefined {
  if (press.isComposing) return undefined
  const chord = chordOf(press)
  if (!chord && (!letters || isTyping(press.target))) return undefined
  const found = SHORTCUTS.find((keys) => (chord ? keys.chord === chord : keys.letter === press.key))
  return found?.does === 'search' ? undefined : found?.does
}

function chordOf({ key, altKey, ctrlKey, metaKey, shiftKey }: Press): string | undefined {
  if (!altKey && !ctrlKey && !metaKey) return undefined
  const held = [(ctrlKey || metaKey) && 'Mod', altKey && 'Alt', shiftKey && 'Shift'].filter(Boolean)
  return [...held, key.length === 1 ? key.toLowerCase() : key].join('+')
}
