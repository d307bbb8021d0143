const NEWLINE = 0x0a

interface LinesParts {
  /** How long one may be. */
  most: number
  line(text: string): void
  tooLong(): void
}

/** Takes bytes as they come in pieces, and tells of each whole line, until it is ended. */
export function readLines({ most, line, tooLong }: LinesParts) {
  let pieces: Buffer[] = []
  let length = 0
  let isEnded = false
  return { hear, end }

  function hear(chunk: Buffer) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1 && !isEnded; end = chunk.indexOf(NEWLINE, from)) {
      const last = chunk.subarray(from, end)
      const whole = pieces.length === 0 ? last : Buffer.concat([...pieces, last])
      pieces = []
      length = 0
      from = end + 1
      line(whole.toString())
    }
    if (isEnded) return
    if (from < chunk.length) pieces.push(chunk.subarray(from))
    length += chunk.length - from
    if (length > most) tooLong()
  }

  /** Whatever has no end yet is dropped. */
  function end(): string {
    isEnded = true
    pieces = []
    return ''
  }
}
