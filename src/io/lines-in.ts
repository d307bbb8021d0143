interface Reading {
  limitLength: number
  line(text: string): void
  /** What follows could be anything, and nobody hears it. */
  tooLong(): void
  /** Called with the length of an unfinished line; says whether that is too much. */
  isTooMuch?(length: number): boolean
}

/** Each piece takes more than its characters: this many short ones become one. */
const MOST_SHORT = 1024
const SHORT_LENGTH = 1024

/** Reads a socket, or what is as good as one, line by line. */
export function readLines(socket: NodeJS.ReadableStream, { limitLength, line, tooLong, isTooMuch }: Reading) {
  let pieces: string[] = []
  let length = 0
  let short = 0
  let isOver = false
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    if (isOver) return
    let from = 0
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      pieces.push(chunk.slice(from, end))
      const text = pieces.length === 1 ? (pieces[0] as string) : pieces.join('')
      pieces = []
      length = short = 0
      from = end + 1
      line(text)
    }
    if (from < chunk.length) keep(from === 0 ? chunk : chunk.slice(from))
    if (length <= limitLength && !isTooMuch?.(length)) return
    end()
    tooLong()
  })
  // The pieces go with the socket: whoever remembers it would remember them.
  socket.on('close', end)

  function end() {
    isOver = true
    pieces = []
  }

  function keep(piece: string) {
    pieces.push(piece)
    length += piece.length
    short = piece.length < SHORT_LENGTH ? short + 1 : 0
    if (short < MOST_SHORT) return
    pieces.push(pieces.splice(-MOST_SHORT).join(''))
    short = 0
  }
}
