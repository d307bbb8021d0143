/** More is only laid out when someone asks for it. */
const FIRST_LINES = 30
const FIRST_LENGTH = 6000
/** A rest this short is not worth a button. */
const SPARE = 1.5
const PIECE = 20_000
const LATEST_BREAK = 5000

/** The start of a long text; undefined when it is short enough to be shown whole. */
export function startOf(text: string): string | undefined {
  const lines = text.split('\n', FIRST_LINES * SPARE + 1)
  if (text.length <= FIRST_LENGTH * SPARE && lines.length <= FIRST_LINES * SPARE) return undefined
  return lines.slice(0, FIRST_LINES).join('\n').slice(0, FIRST_LENGTH).replace(LONE_SURROGATE, '')
}

/** How much it is, in words. */
export function extentOf(text: string): string {
  const lines = text.split('\n').length
  if (lines > FIRST_LINES) return `${lines.toLocaleString('en')} lines`
  const kilobytes = text.length / 1000
  return kilobytes < 1000 ? `${Math.round(kilobytes)} kB` : `${(kilobytes / 1000).toFixed(1)} MB`
}

/** A very long text in parts that can be laid out one by one, cut where a line ends if one does. */
export function piecesOf(text: string): string[] {
  if (text.length <= 2 * PIECE) return [text]
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    const end = text.lastIndexOf('\n', from + PIECE)
    const atBreak = end > from + PIECE - LATEST_BREAK && from + PIECE < text.length
    const to = atBreak ? end : wholeCharacter(text, from + PIECE)
    pieces.push(text.slice(from, to))
    from = atBreak ? to + 1 : to
  }
  return pieces
}

const LONE_SURROGATE = /[\uD800-\uDBFF]$/

function wholeCharacter(text: string, at: number): number {
  return LONE_SURROGATE.test(text.slice(at - 1, at)) ? at - 1 : at
}
