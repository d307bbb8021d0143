interface Reading {
  limitLength: number
  line(text: string): void
  /** What follows could be anything. */
  tooLong(): void
}

/** Reads a socket, or what is as good as one, line by line. */
export function readLines(socket: NodeJS.ReadableStream, { limitLength, line, tooLong }: Reading) {
  let pieces: string[] = []
  let length = 0
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    let from = 0
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      pieces.push(chunk.slice(from, end))
      const text = pieces.length === 1 ? (pieces[0] as string) : pieces.join('')
      pieces = []
      length = 0
      from = end + 1
      line(text)
    }
    if (from === chunk.length) return
    pieces.push(from === 0 ? chunk : chunk.slice(from))
    length += chunk.length - from
    if (length > limitLength) tooLong()
  })
}
