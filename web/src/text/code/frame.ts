import { addedAndRemoved, type Change, changesIn, isPatch } from '../changes/changes.ts'
import { piecesOf } from '../markdown/extent.ts'
import type { Memory } from '../markdown/memory.ts'
import { pieceOf, unfold } from '../markdown/plain.ts'
import { visible } from '../visible.ts'
import { COPIED_MS } from './copying.svelte.ts'
import { highlight } from './highlight.ts'

interface Framed {
  text: string
  /** The label above; the language if absent. */
  label?: string
  language?: string
  /** Line by line what changed, where that is known better than the text says it. */
  changes?: Change[]
  memory: Memory
}

const WRAP = 'wrap'

/** Code or output in a frame: its name, what it changes, and buttons to wrap and to copy it. */
export function codeFrame({ text, label, language, changes, memory }: Framed): HTMLElement {
  const lines = changes ?? (language === 'diff' || language === 'patch' || isPatch(text) ? changesIn(text) : undefined)
  const name = label ?? language ?? 'text'
  const { frame, code } = emptyFrame({
    name,
    counts: lines && countsOf(addedAndRemoved(lines)),
    text: () => text,
    memory,
  })
  const showAll = unfold(text, memory, (part) => {
    if (lines) code.replaceChildren(...lines.slice(0, part === text ? undefined : linesIn(part)).map(changeLine))
    else fill(code, part, language)
  })
  if (showAll) frame.append(showAll)
  return frame
}

interface Empty {
  name: string
  /** The counts of a frame with changes. */
  counts: HTMLElement | undefined
  /** The text to copy. */
  text: () => string
  memory: Memory
}

/** A frame, and what stands in it. */
export function emptyFrame({ name, counts, text, memory }: Empty): { frame: HTMLElement; code: HTMLElement } {
  const frame = element('div', counts ? 'code changes' : 'code')
  frame.dir = 'ltr'
  const block = document.createElement('pre')
  const code = document.createElement('code')
  block.tabIndex = 0
  block.append(code)
  const bar = element('div', 'bar')
  bar.append(element('span', 'name', name))
  if (counts) bar.append(counts)
  bar.append(wrapButton(block, memory))
  // Browsers give a page the clipboard only on localhost or over HTTPS.
  if (navigator.clipboard) bar.append(copyButton(text))
  frame.append(bar, block)
  return { frame, code }
}

function fill(code: HTMLElement, text: string, language: string | undefined) {
  const pieces = piecesOf(text)
  if (pieces.length > 1) code.replaceChildren(...pieces.map(pieceOf))
  else {
    code.textContent = visible(text)
    if (language) highlight(code, language)
  }
}

export function changeLine({ kind, text }: Change): HTMLElement {
  const pieces = piecesOf(text)
  if (pieces.length === 1) return element('span', kind, visible(text) || ' ')
  const line = element('span', kind)
  line.append(...pieces.map(pieceOf))
  return line
}

export function countsOf({ added, removed }: { added: number; removed: number }): HTMLElement {
  const counts = element('span', 'counts')
  counts.append(element('span', 'added', `+${added}`), ' ', element('span', 'removed', `−${removed}`))
  return counts
}

function wrapButton(block: HTMLElement, memory: Memory): HTMLButtonElement {
  const button = buttonOf('Wrap', () => show(!block.classList.contains('wrapped')))
  show(memory.has(WRAP))
  return button

  function show(on: boolean) {
    block.classList.toggle('wrapped', on)
    button.ariaPressed = String(on)
    memory.put(WRAP, on)
  }
}

function copyButton(text: () => string): HTMLButtonElement {
  const button = buttonOf('Copy', async () => {
    await navigator.clipboard.writeText(text())
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), COPIED_MS)
  })
  return button
}

function buttonOf(text: string, press: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.addEventListener('click', press)
  return button
}

function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  return made
}

function linesIn(text: string): number {
  return text.split('\n').length
}
