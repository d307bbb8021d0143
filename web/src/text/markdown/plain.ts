import { visible } from '../visible.ts'
import { extentOf, piecesOf, startOf } from './extent.ts'
import type { Memory } from './memory.ts'

const ALL = 'all'

/** The text as it is, down to its spaces; of a long one the start, and the rest when it is asked for. */
export function plain(text: string, memory: Memory): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const block = document.createElement('div')
  block.className = 'plain'
  block.dir = 'auto'
  fragment.append(block)
  const showAll = unfold(text, memory, (part) => block.replaceChildren(...piecesOf(part).map(pieceOf)))
  if (showAll) fragment.append(showAll)
  return fragment
}

/** Draws the start of it or all of it; answers with the button for the rest, if there is one. */
export function unfold(text: string, memory: Memory, draw: (part: string) => void): HTMLButtonElement | undefined {
  const start = memory.has(ALL) ? undefined : startOf(text)
  draw(start ?? text)
  if (start === undefined) return undefined
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'show-all'
  button.textContent = `Show all ${extentOf(text)}`
  button.addEventListener('click', () => {
    memory.put(ALL, true)
    draw(text)
    // The focus must not vanish with what it was on.
    const block = button.previousElementSibling
    if (block instanceof HTMLElement) {
      if (block.tabIndex < 0) block.tabIndex = -1
      block.focus({ preventScroll: true })
    }
    button.remove()
  })
  return button
}

/** Laid out only when it comes near the screen. */
export function pieceOf(text: string): HTMLElement {
  const piece = document.createElement('span')
  piece.className = 'piece'
  piece.textContent = visible(text)
  return piece
}
