import { cleanText } from '../clean-text.ts'

const MOST_LINES = 500
const LONGEST_LINE = 2000

export type MountLog = ReturnType<typeof createMountLog>

/** The last that a server wrote for people, and what became of it. */
export function createMountLog(hide: (text: string) => string) {
  let lines: string[] = []
  let begun = ''
  return { tell, write, lines: () => [...lines] }

  function tell(text: string) {
    lines.push(`${new Date().toISOString()} ${cleanText(hide(text.slice(0, 2 * LONGEST_LINE)).slice(0, LONGEST_LINE))}`)
    if (lines.length > 2 * MOST_LINES) lines = lines.slice(-MOST_LINES)
  }

  /** Its stderr comes in any pieces, and is told by lines. */
  function write(chunk: string) {
    const [last = '', ...whole] = (begun + chunk).split('\n').reverse()
    begun = last.length > LONGEST_LINE ? '' : last
    for (const line of [...whole.reverse(), ...(begun === '' ? [last] : [])]) if (line.trim() !== '') tell(line)
  }
}
