import { isCovered, isTyping } from './keys.ts'
import { loneLetters } from './lone-letters.ts'
import { type Shortcut, shortcutOf } from './shortcuts.ts'

interface Parts {
  /** Whether single letters mean anything. */
  letters: boolean
  run: (shortcut: Shortcut) => void
  /** Takes the beginning of a word that somebody types. */
  write: (letters: string) => void
}

/** Hears each key of the page. */
export function pressed(event: KeyboardEvent, { letters, run, write }: Parts) {
  const { key, target } = event
  const isBare = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing && !isTyping(target)
  loneLetters.write = (words) => isCovered() || write(words)
  if (!isBare || key === 'Enter' || key === 'Escape') loneLetters.drop()
  const isLetter = isBare && letters && !event.repeat && /^\p{L}$/u.test(key)
  // A dialog may hear letters of its own.
  if (isLetter && isCovered()) loneLetters.press(event)
  if (event.defaultPrevented || isCovered()) return
  const shortcut = shortcutOf(event, letters)
  if (isLetter) return loneLetters.press(event, shortcut && (() => isCovered() || run(shortcut)))
  if (isBare && key.length === 1 && !/\d/.test(key)) loneLetters.goOn()
  if (!shortcut) return
  event.preventDefault()
  run(shortcut)
}
