import { visible } from '../visible.ts'
import { pieceOf } from './plain.ts'

/** Longer pieces would take long to be laid out again with every word. */
const LONGEST_PIECE = 2000

/** A text at whose end more comes. What stands is left alone: only the last piece of it changes. */
export function liveLines(block: HTMLElement) {
  let last: Text | undefined
  return { append }

  function append(text: string) {
    for (let rest = text; rest !== ''; ) {
      if (!last) {
        const piece = pieceOf('')
        last = piece.appendChild(new Text())
        block.append(piece)
      }
      // A piece is a block of its own, so that it ends where a line does, unless none does for long.
      const room = Math.max(0, LONGEST_PIECE - last.length)
      const end = rest.length <= room ? -1 : rest.indexOf('\n', room)
      const taken = end < 0 ? rest.slice(0, room + LONGEST_PIECE) : rest.slice(0, end)
      last.appendData(visible(taken))
      rest = rest.slice(end < 0 ? taken.length : end + 1)
      if (end >= 0 || rest !== '') last = undefined
    }
  }
}
