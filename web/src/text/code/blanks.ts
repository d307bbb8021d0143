/** This many blank lines in a row are a gap: what comes behind it might not be looked for. */
const MANY = 4
const GAPS = /(?:^[\p{Zs}\t]*\n){4,}/gmu

/** A text with its gaps as the number of lines that they take. */
export function withGaps(text: string): (string | number)[] {
  const parts: (string | number)[] = []
  let from = 0
  for (const { 0: gap, index } of text.matchAll(GAPS)) {
    parts.push(text.slice(from, index), linesIn(gap))
    from = index + gap.length
  }
  return [...parts, text.slice(from)]
}

export function blankLines(count: number): string {
  return `${count.toLocaleString('en')} blank lines`
}

/**
 * The same for the lines of a frame, which all stay there: whoever comments on them counts them. They come piece by piece,
 * and a gap may go on in the next one. `tell` hears of those that are hidden.
 */
export function foldingGaps(tell: (hidden: HTMLElement[]) => void) {
  let gap: HTMLElement[] = []
  return { add, close }

  function add(lines: Iterable<HTMLElement>) {
    for (const line of lines) {
      // A line may be blank behind the sign of a change.
      const isBlank = /^[+-]?\s*$/.test(line.textContent)
      if (!isBlank || gap[0]?.className !== line.className) close()
      if (isBlank) gap.push(line)
    }
  }

  function close() {
    const [first, ...others] = gap
    gap = []
    if (!first || others.length + 1 < MANY) return
    first.dataset.gap = blankLines(others.length + 1)
    for (const line of others) line.style.display = 'none'
    tell(others)
  }
}

function linesIn(gap: string): number {
  return gap.split('\n').length - 1
}
