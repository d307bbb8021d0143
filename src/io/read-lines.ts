const NEWLINE = 0x0a
/** The length that is kept of each end of a line that is too long, to tell what it was. */
const END_LENGTH = 1024

interface LinesParts {
  /** How long one may be. */
  most: number
  line(text: string): void
  /** Called at the end of a line that was too long, with its beginning and its end. */
  tooLong(ends: string): void
}

/** Takes bytes as they come in pieces, and tells of each whole line, until it is ended. */
export function readLines({ most, line, tooLong }: LinesParts) {
  const pieces = createPieces()
  let isEnded = false
  return { hear, end, isTooLong: () => pieces.length() > most }

  function hear(chunk: Buffer) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1 && !isEnded; end = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, end))
      const isTooLong = pieces.length() > most
      const whole = pieces.taken()
      from = end + 1
      if (isTooLong) tooLong(whole.toString())
      else line(whole.toString())
    }
    if (!isEnded && from < chunk.length) take(chunk.subarray(from))
  }

  function take(piece: Buffer) {
    pieces.add(piece)
    if (pieces.length() > most) pieces.keepEnds()
  }

  /** An unfinished line is dropped. */
  function end(): string {
    isEnded = true
    pieces.taken()
    return ''
  }
}

/** Each of them takes some hundred bytes, however short it is: this many short ones become one. */
const MOST_SHORT = 1024
const SHORT_BYTES = 1024

/** Collects pieces, of which none is lost until it is taken. */
export function createPieces() {
  let pieces: Buffer[] = []
  let [length, short] = [0, 0]
  return { add, taken, keepEnds, length: () => length, count: () => pieces.length }

  function add(piece: Buffer) {
    pieces.push(piece)
    length += piece.length
    short = piece.length < SHORT_BYTES ? short + 1 : 0
    if (short < MOST_SHORT) return
    pieces.push(Buffer.concat(pieces.splice(-MOST_SHORT)))
    short = 0
  }

  function taken(): Buffer {
    const whole = joined(pieces)
    pieces = []
    ;[length, short] = [0, 0]
    return whole
  }

  /** The length stays what it was. */
  function keepEnds() {
    pieces = endsIn(pieces)
    short = 0
  }
}

function joined([first, ...others]: Buffer[]): Buffer {
  return first && others.length === 0 ? first : Buffer.concat([first ?? Buffer.alloc(0), ...others])
}

/** Copies, so that nothing of the rest is kept. */
function endsIn(pieces: Buffer[]): Buffer[] {
  const [first = Buffer.alloc(0), last = first] = [pieces[0], pieces.at(-1)]
  const before = pieces.length > 2 ? pieces.at(-2) : undefined
  const head = Buffer.from(first.subarray(0, END_LENGTH))
  return [head, Buffer.from(Buffer.concat([before ?? Buffer.alloc(0), last]).subarray(-END_LENGTH))]
}

export function endsOf(text: string): string {
  return text.slice(0, END_LENGTH) + text.slice(-END_LENGTH)
}
