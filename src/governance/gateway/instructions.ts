import { cleanText } from './clean-text.ts'

/**
 * The most characters for one server, and for all together: some clients cut what is longer than this with the
 * gateway's own.
 */
const LONGEST = 1000
const MOST = 4000

interface Instructing {
  name: string
  instructions(): string | undefined
}

/** The gateway's own words, the names of the servers behind it, and what these say of how they are used. */
export function withInstructions(own: string, mounts: readonly Instructing[]): string {
  if (mounts.length === 0) return own
  const said: string[] = []
  let left = MOST
  for (const { name, instructions } of mounts) {
    const text = cut(cleanText(instructions() ?? '').trim(), Math.min(LONGEST, left))
    left -= text.length
    if (text !== '') said.push(`The server ${name} says:\n${text}`)
  }
  return [`${own} Mounted servers: ${mounts.map(({ name }) => name).join(', ')}.`, ...said].join('\n\n')
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  return longest < 2 ? '' : `${text.slice(0, longest - 1)}…`
}
