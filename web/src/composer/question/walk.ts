import { clickByKey } from '../../frame/first-click.ts'
import { isCovered, isTyping } from '../../frame/keys/keys.ts'
import { isFor } from '../../frame/pane.ts'

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

/** The options of a question, wherever it is drawn: buttons and checkboxes marked `data-option`. */
export function optionsIn(dock: HTMLElement): HTMLElement[] {
  return [...dock.querySelectorAll<HTMLElement>('[data-option]')]
}

/** Arrows move between the options, and Enter chooses. */
export function walk(dock: HTMLElement): () => void {
  dock.addEventListener('keydown', press)
  return () => dock.removeEventListener('keydown', press)

  function press(event: KeyboardEvent) {
    const options = optionsIn(dock)
    const step = STEPS[event.key]
    const at = event.target instanceof HTMLElement ? options.indexOf(event.target) : -1
    if (event.ctrlKey || event.metaKey || event.altKey || (at < 0 && isTyping(event.target))) return
    if (step) options[at < 0 ? 0 : (at + step + options.length) % options.length]?.focus()
    // A button does this by itself.
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement && at >= 0) event.target.click()
    else return
    event.preventDefault()
  }
}

/**
 * The choice of a single key: an option by its number, from wherever nobody types, and a button by its letter, while
 * the focus is in the dock. People who speak to their computer want no letters, and numbers only there.
 */
export function chosenBy(event: KeyboardEvent, dock: HTMLElement, letters: boolean): HTMLElement | undefined {
  const { key, target } = event
  const options = optionsIn(dock)
  const isOption = target instanceof HTMLElement && options.includes(target)
  // A key that is held down must not go on into the next question.
  if (event.defaultPrevented || event.repeat || event.isComposing || !isFor(dock, event)) return undefined
  if (isCovered() && !dock.closest('dialog')) return undefined
  if (event.ctrlKey || event.metaKey || event.altKey || (!isOption && isTyping(target))) return undefined
  const within = target instanceof Node && dock.contains(target)
  if (/^[1-9]$/.test(key)) return letters || within ? options[Number(key) - 1] : undefined
  if (!letters || !within || event.shiftKey) return undefined
  return options.find(({ dataset }) => dataset.letter === key.toUpperCase())
}

/** It could belong to a word. Where nothing can be decided yet, it only says why. */
export function isDecidingLetter({ ariaDisabled }: HTMLElement, { key }: KeyboardEvent): boolean {
  return !/\d/.test(key) && ariaDisabled !== 'true'
}

/** A lasting choice takes more than one key: this one leads to it. */
export function choose(chosen: HTMLElement, event: KeyboardEvent) {
  if (chosen.dataset.firm === undefined) clickByKey(chosen, event)
  else chosen.focus()
}
