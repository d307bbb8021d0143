import type { Writable } from 'node:stream'

interface Reading {
  limitLength: number
  line(text: string): void
  /** What follows could be anything, and nobody hears it. */
  tooLong(): void
  /** Called with the length of an unfinished line; says whether that is too much. */
  isTooMuch?(length: number): boolean
}

/** Reads a socket, or what is as good as one, line by line. Lengths are in characters. */
export function readLines(socket: NodeJS.ReadableStream, { limitLength, line, tooLong, isTooMuch }: Reading) {
  const lines = createLines(TEXT, { most: limitLength, line, tooLong: refuse })
  let isOver = false
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    lines.hear(chunk)
    if (!isOver && (lines.length() > limitLength || isTooMuch?.(lines.length()))) refuse()
  })
  // Others may know the socket for a while longer; what it never finished goes with it.
  socket.once('close', end)

  function refuse() {
    end()
    tooLong()
  }

  function end() {
    isOver = true
    lines.end()
  }
}

/** Writes lines. In one turn of the event loop the first goes out at once, and all others together at its end. */
export function lineWriter(stream: Writable) {
  let isHeld = false
  return (line: string, written?: (error?: Error | null) => void) => {
    stream.write(`${line}\n`, written)
    if (!isHeld) hold()
  }

  function hold() {
    isHeld = true
    stream.cork()
    process.nextTick(() => {
      isHeld = false
      stream.uncork()
    })
  }
}

interface BytesParts {
  /** How long one may be, in bytes. */
  most: number
  line(text: string): void
  /** Called at the end of a line that was too long, with its beginning and its end. */
  tooLong(ends: string): void
}

/** Takes bytes as they come in pieces, and tells of each whole line, until it is ended. */
export function linesInBytes({ most, line, tooLong }: BytesParts) {
  const { hear, end, length } = createLines(BYTES, {
    most,
    line: (whole) => line(whole.toString()),
    tooLong: (ends) => tooLong(ends.toString()),
  })
  return { hear, end, isTooLong: () => length() > most }
}

/** The kind of pieces: text, or bytes. */
interface Kind<Piece extends { length: number }> {
  lineEnd(chunk: Piece, from: number): number
  part(piece: Piece, from: number, to?: number): Piece
  joined(pieces: Piece[]): Piece
  /** Keeps nothing else of what it is a part of. */
  copied(piece: Piece): Piece
}

const TEXT: Kind<string> = {
  lineEnd: (chunk, from) => chunk.indexOf('\n', from),
  part: (piece, from, to) => piece.slice(from, to),
  joined: (pieces) => pieces.join(''),
  copied: (piece) => Buffer.from(piece).toString(),
}

const BYTES: Kind<Buffer> = {
  lineEnd: (chunk, from) => chunk.indexOf(0x0a, from),
  part: (piece, from, to) => piece.subarray(from, to),
  joined: (pieces) => Buffer.concat(pieces),
  copied: (piece) => Buffer.from(piece),
}

interface LinesParts<Piece> {
  most: number
  line(whole: Piece): void
  tooLong(ends: Piece): void
}

function createLines<Piece extends { length: number }>(kind: Kind<Piece>, { most, line, tooLong }: LinesParts<Piece>) {
  const pieces = createPieces(kind)
  let isEnded = false
  return { hear, end, length: pieces.length }

  function hear(chunk: Piece) {
    let from = 0
    for (let end = kind.lineEnd(chunk, 0); end !== -1 && !isEnded; end = kind.lineEnd(chunk, from)) {
      const rest = kind.part(chunk, from, end)
      from = end + 1
      const isTooLong = pieces.length() + rest.length > most
      const whole = pieces.length() === 0 && !isTooLong ? rest : taken(rest)
      if (isTooLong) tooLong(whole)
      else line(whole)
    }
    if (!isEnded && from < chunk.length) take(from === 0 ? chunk : kind.part(chunk, from))
  }

  function taken(rest: Piece): Piece {
    take(rest)
    return pieces.taken()
  }

  function take(piece: Piece) {
    pieces.add(piece)
    if (pieces.length() > most) pieces.keepEnds()
  }

  /** An unfinished line is dropped. */
  function end(): undefined {
    isEnded = true
    pieces.taken()
  }
}

/** Each piece takes some hundred bytes, however short it is: this many short ones become one. */
const MOST_SHORT = 1024
const SHORT_LENGTH = 1024
/** The length that is kept of each end of a line that is too long, to tell what it was. */
const END_LENGTH = 1024

/** Collects pieces, of which none is lost until it is taken. */
function createPieces<Piece extends { length: number }>({ part, joined, copied }: Kind<Piece>) {
  let pieces: Piece[] = []
  let [length, short] = [0, 0]
  return { add, taken, keepEnds, length: () => length, count: () => pieces.length }

  function add(piece: Piece) {
    pieces.push(piece)
    length += piece.length
    short = piece.length < SHORT_LENGTH ? short + 1 : 0
    if (short < MOST_SHORT) return
    pieces.push(joined(pieces.splice(-MOST_SHORT)))
    short = 0
  }

  function taken(): Piece {
    const [first] = pieces
    const whole = first && pieces.length === 1 ? first : joined(pieces)
    pieces = []
    ;[length, short] = [0, 0]
    return whole
  }

  /** The length stays what it was. */
  function keepEnds() {
    const head = copied(part(joined(pieces.slice(0, 1)), 0, END_LENGTH))
    pieces = [head, copied(part(joined(pieces.length > 2 ? pieces.slice(-2) : pieces.slice(-1)), -END_LENGTH))]
    short = 0
  }
}

export function bytePieces() {
  return createPieces(BYTES)
}

export function endsOf(text: string): string {
  return text.slice(0, END_LENGTH) + text.slice(-END_LENGTH)
}
