/** The place of a file's content, which nobody should hold at once. */
export interface FileMark {
  file: string
}

/** A piece of a writer's output. */
export type Piece = string | FileMark

/** Pieces are never larger, so that whoever passes one on is not kept for long. */
export const LONGEST_PIECE = 64 * 1024

/** The same in an even size: texts that come together are one, up to there. */
export function* evened(pieces: Iterable<Piece>): Generator<Piece> {
  let text = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece
    if (typeof piece === 'string' && text.length < LONGEST_PIECE) continue
    yield* slicesOf(text)
    text = ''
    if (typeof piece !== 'string') yield piece
  }
  yield* slicesOf(text)
}

function* slicesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const to = wholeLetter(text, from + LONGEST_PIECE)
    yield text.slice(from, to)
    from = to
  }
}

/** The halves of one would each be nothing. */
function wholeLetter(text: string, at: number): number {
  return at < text.length && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? at - 1 : at
}
