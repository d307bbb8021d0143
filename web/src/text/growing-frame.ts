import { foldingGaps } from './blanks.ts'
import { addedAndRemoved } from './changes.ts'
import { changeLine, countsOf, emptyFrame } from './frame.ts'
import type { GrowingLines } from './growing-lines.ts'
import { ALL_OPEN } from './memory.ts'

/** Told by a frame of the lines that it got. */
export const GROWN = 'grown'

/** The frame of a change whose lines are still coming. */
export function growingFrame(name: string, lines: GrowingLines): { frame: HTMLElement; stop: () => void } {
  let counts = countsOf({ added: 0, removed: 0 })
  const total = { added: 0, removed: 0 }
  const text = () => lines.all.map((line) => line.text).join('\n')
  const { frame, code } = emptyFrame({ name, counts, text, memory: ALL_OPEN })
  const gaps = foldingGaps()
  const stop = lines.follow((fresh, isLast) => {
    const drawn = fresh.map(changeLine)
    gaps.add(drawn)
    if (isLast) gaps.close()
    const { added, removed } = addedAndRemoved(fresh)
    total.added += added
    total.removed += removed
    const now = countsOf(total)
    counts.replaceWith(now)
    counts = now
    // What is there at once is little.
    if (isLast) code.append(...drawn)
    else if (drawn.length > 0) code.append(together(drawn))
    frame.dispatchEvent(new CustomEvent<HTMLElement[]>(GROWN, { detail: drawn }))
  })
  return { frame, stop }
}

/** As high as they will be, unless lines are wrapped: until they come near the screen, the browser leaves them alone. */
function together(drawn: HTMLElement[]): HTMLElement {
  const group = document.createElement('span')
  group.className = 'lines'
  group.style.containIntrinsicBlockSize = `auto ${drawn.length}lh`
  group.append(...drawn)
  return group
}
