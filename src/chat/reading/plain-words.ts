import { LONGEST_PROSE } from '../../protocol/text/tame.ts'

const FENCE = /^\s*(?:```|~~~)/
const BEGINNING = /^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,9}[.)]\s+)+/
const TABLE_RULE = /^(?=[^-]*-)[\s|:-]*$/
const LINK = /!?\[([^[\]]*)\]\([^()\s]*(?:\s"[^"]*")?\)/g
// A run of marks is looked at once, from its beginning.
const CODE = /(?<!`)(`+)(?!`)([^`]{1,400})\1(?!`)/g
// Marked text is short; an end that never comes must not be looked for in all the rest.
const STRONG = /(\*\*|__|~~)(?=\S)(.{1,200}?)(?<=\S)\1/g
const EMPHASIS = /(?<![\w*])\*(?=\S)([^*]{1,200}?)(?<=\S)\*(?![\w*])|(?<!\w)_(?=\S)([^_]{1,200}?)(?<=\S)_(?!\w)/g

/** Markdown as somebody reads it, for one line of a list: no parser, and so quick with any text. */
export function plainWords(text: string): string {
  if (text.length > LONGEST_PROSE) return text
  let inCode = false
  const lines: string[] = []
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) inCode = !inCode
    else lines.push(inCode ? line : wordsIn(line))
  }
  return lines.join('\n')
}

function wordsIn(line: string): string {
  if (TABLE_RULE.test(line)) return ''
  const row = line.trimStart().startsWith('|') ? line.replaceAll('|', ' ') : line
  return row
    .replace(BEGINNING, '')
    .replace(LINK, '$1')
    .replace(CODE, '$2')
    .replace(STRONG, '$2')
    .replace(EMPHASIS, '$1$2')
}
