import { stripVTControlCharacters } from 'node:util'

const LONGEST = 300

/** The last line of what a program wrote that says something. */
export function lastLine(text: string): string | undefined {
  const lines = stripVTControlCharacters(text).split('\n')
  return lines
    .map((line) => line.trim())
    .findLast((line) => line !== '')
    ?.slice(0, LONGEST)
}
