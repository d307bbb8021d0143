/** Some lines of a text, few enough to be drawn at once. */
export interface Block {
  /** The number of its first line. */
  first: number
  /** That line began in the block above. */
  continues: boolean
  lines: string[]
}

const MOST_LINES = 100
const MOST_LETTERS = 12_000
/** A line without end is laid out in parts. */
export const LONGEST_LINE = 4000

/** Cuts a text that comes in pieces into blocks, whatever its lines are like. */
export function createBlocks() {
  const blocks: Block[] = []
  let rest = ''
  let letters = 0
  let number = 1
  let isWithinLine = false
  return { add, end, soFar }

  /** The last one may still grow, and what is drawn must not. */
  function soFar(): Block[] {
    return blocks.map((block, place) => (place < blocks.length - 1 ? block : { ...block, lines: [...block.lines] }))
  }

  function add(text: string) {
    const all = rest + text
    let from = 0
    for (;;) {
      const end = all.slice(from, from + LONGEST_LINE).indexOf('\n')
      if (end !== -1) {
        put(all.slice(from, from + end).replace(/\r$/, ''), true)
        from += end + 1
      } else if (all.length - from > LONGEST_LINE) {
        const to = from + LONGEST_LINE - (isHighSurrogate(all, from + LONGEST_LINE - 1) ? 1 : 0)
        put(all.slice(from, to), false)
        from = to
      } else break
    }
    rest = all.slice(from)
  }

  /** Nothing comes any more. */
  function end() {
    if (rest !== '') put(rest, true)
    rest = ''
  }

  function put(line: string, ends: boolean) {
    let block = blocks.at(-1)
    if (!block || block.lines.length >= MOST_LINES || letters + line.length > MOST_LETTERS || isWithinLine) {
      block = { first: number, continues: isWithinLine, lines: [] }
      blocks.push(block)
      letters = 0
    }
    block.lines.push(line)
    letters += line.length
    isWithinLine = !ends
    if (ends) number++
  }
}

function isHighSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800
}
