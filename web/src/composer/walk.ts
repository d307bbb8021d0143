import { isTyping } from '../frame/keys.ts'

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

/** What a question offers, wherever it is drawn: buttons and checkboxes marked `data-option`. */
export function optionsIn(dock: HTMLElement): HTMLElement[] {
  return [...dock.querySelectorAll<HTMLElement>('[data-option]')]
}

/** Arrows move between the options, Enter chooses, and so does the number of an option. */
export function walk(dock: HTMLElement): () => void {
  dock.addEventListener('keydown', press)
  return () => dock.removeEventListener('keydown', press)

  function press(event: KeyboardEvent) {
    const options = optionsIn(dock)
    const step = STEPS[event.key]
    const at = event.target instanceof HTMLElement ? options.indexOf(event.target) : -1
    if (event.ctrlKey || event.metaKey || event.altKey || (at < 0 && isTyping(event.target))) return
    if (step) options[at < 0 ? 0 : (at + step + options.length) % options.length]?.focus()
    // A key that is held down must not go on into the next question.
    else if (/^[1-9]$/.test(event.key) && !event.repeat) options[Number(event.key) - 1]?.click()
    // A button does this by itself.
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement && at >= 0) event.target.click()
    else return
    event.preventDefault()
  }
}
