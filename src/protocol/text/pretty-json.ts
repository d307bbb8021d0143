import { jsonIn } from './json.ts'

export const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g
/** Indenting something very deep would take memory by the square of its depth. */
const DEEPEST = 40
/** The largest growth, as a multiple of its length; the rest stays on one line. [S151] */
const MOST_TIMES = 8
const SHORT = 10_000

/**
 * The JSON with line breaks, or so much of its beginning; undefined when it is none. Works on the text, because parsed
 * numbers may lose digits.
 */
export function prettyJson(text: string, enough = Infinity): string | undefined {
  if (jsonIn(text) === undefined) return undefined
  let pretty = ''
  let depth = 0
  let before = ''
  const most = SHORT + MOST_TIMES * text.length
  for (const [token] of text.matchAll(TOKEN)) {
    if (closes(token)) depth--
    if (closes(token) ? !opens(before) : opens(before) || before === ',')
      pretty += pretty.length < most ? newLine(depth) : ''
    pretty += token === ':' ? ': ' : token
    if (opens(token)) depth++
    before = token
    if (pretty.length >= enough) break
  }
  return pretty
}

function opens(token: string): boolean {
  return token === '{' || token === '['
}

function closes(token: string): boolean {
  return token === '}' || token === ']'
}

function newLine(depth: number): string {
  return `\n${'  '.repeat(Math.min(depth, DEEPEST))}`
}
