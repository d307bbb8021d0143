import './growing-frame.css'
import { addedAndRemoved } from '../changes/changes.ts'
import type { GrowingLines } from '../changes/growing-lines.ts'
import { ALL_OPEN } from '../markdown/memory.ts'
import { isPath } from '../path.ts'
import { foldingGaps } from './blanks.ts'
import { changeLine, countsOf, emptyFrame } from './frame.ts'

/** The event of a frame that got lines. */
export const GROWN = 'grown'

/** The frame of a change whose lines are still coming. */
export function growingFrame(name: string, lines: GrowingLines): { frame: HTMLElement; stop: () => void } {
  let counts = countsOf({ added: 0, removed: 0 })
  const total = { added: 0, removed: 0 }
  const text = () => lines.all.map((line) => line.text).join('\n')
  const { frame, code } = emptyFrame({ name, counts, text, memory: ALL_OPEN })
  const label = frame.querySelector('.name')
  if (label && isPath(name)) endFirst(label, name)
  const gaps = foldingGaps(shrink)
  /** How many lines of a group are to be seen. */
  const heights = new Map<HTMLElement, number>()
  const stop = lines.follow((fresh, isLast) => {
    const drawn = fresh.map(changeLine)
    // The part that is there at once is small.
    if (isLast) code.append(...drawn)
    else if (drawn.length > 0) code.append(together(drawn))
    gaps.add(drawn)
    if (isLast) gaps.close()
    const { added, removed } = addedAndRemoved(fresh)
    total.added += added
    total.removed += removed
    const now = countsOf(total)
    counts.replaceWith(now)
    counts = now
    frame.dispatchEvent(new CustomEvent<HTMLElement[]>(GROWN, { detail: drawn }))
  })
  return { frame, stop }

  /** The browser leaves them alone until they come near the screen. */
  function together(drawn: HTMLElement[]): HTMLElement {
    const group = document.createElement('span')
    group.className = 'lines'
    group.append(...drawn)
    reckon(group, drawn.length)
    return group
  }

  /** The height they will have, unless some are wrapped. */
  function reckon(group: HTMLElement, height: number) {
    heights.set(group, height)
    group.style.containIntrinsicBlockSize = `auto ${height}lh`
  }

  function shrink(hidden: HTMLElement[]) {
    for (const { parentElement: group } of hidden) {
      const height = group ? heights.get(group) : undefined
      if (group && height !== undefined) reckon(group, height - 1)
    }
  }
}

/** Where there is no room for all of it, its start is left out. */
function endFirst(label: Element, path: string) {
  const inner = document.createElement('bdi')
  inner.dir = 'ltr'
  inner.textContent = path
  label.classList.add('path')
  label.replaceChildren(inner)
}
