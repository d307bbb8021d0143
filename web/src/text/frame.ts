import { addedAndRemoved, type Change, changesIn, isPatch } from './changes.ts'
import { COPIED_MS } from './copying.svelte.ts'
import { piecesOf } from './extent.ts'
import { highlight } from './highlight.ts'
import type { Memory } from './memory.ts'
import { pieceOf, unfold } from './plain.ts'
import { visible } from './visible.ts'

interface Framed {
  text: string
  /** What it is called above; the language if absent. */
  label?: string
  language?: string
  /** Line by line what changed, where that is known better than the text says it. */
  changes?: Change[]
  memory: Memory
}

const WRAP = 'wrap'

/** Code or output in a frame: its name, what it changes, and buttons to wrap and to copy it. */
export function codeFrame({ text, label, language, changes, memory }: Framed): HTMLElement {
  const frame = element('div', 'code')
  frame.dir = 'ltr'
  const block = document.createElement('pre')
  const code = document.createElement('code')
  block.tabIndex = 0
  block.append(code)
  const lines = changes ?? (language === 'diff' || language === 'patch' || isPatch(text) ? changesIn(text) : undefined)
  if (lines) frame.classList.add('changes')
  const showAll = unfold(text, memory, (part) => {
    if (lines) code.replaceChildren(...lines.slice(0, part === text ? undefined : linesIn(part)).map(changeLine))
    else fill(code, part, language)
  })
  frame.append(barOf(), block)
  if (showAll) frame.append(showAll)
  return frame

  function barOf(): HTMLElement {
    const bar = element('div', 'bar')
    bar.append(element('span', 'name', label ?? language ?? 'text'))
    if (lines) bar.append(countsOf(lines))
    bar.append(wrapButton(block, memory))
    // Browsers give a page the clipboard only on localhost or over HTTPS.
    if (navigator.clipboard) bar.append(copyButton(text))
    return bar
  }
}

function fill(code: HTMLElement, text: string, language: string | undefined) {
  const pieces = piecesOf(text)
  if (pieces.length > 1) code.replaceChildren(...pieces.map(pieceOf))
  else {
    code.textContent = visible(text)
    if (language) highlight(code, language)
  }
}

function changeLine({ kind, text }: Change): HTMLElement {
  return element('span', kind, visible(text) || ' ')
}

export function countsOf(lines: Change[]): HTMLElement {
  const { added, removed } = addedAndRemoved(lines)
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

function copyButton(text: string): HTMLButtonElement {
  const button = buttonOf('Copy', async () => {
    await navigator.clipboard.writeText(text)
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
