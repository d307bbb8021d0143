/** A comment on one line of a change. */
export interface Remark {
  /** The number of the change, and its line. */
  change: number
  line: number
  where: string
  /** The line itself, as it was seen. */
  code: string
  text: string
}

/** More of a line does not help to find it. */
const LONGEST_LINE = 200

export function inComments(count: number): string {
  return count === 1 ? '1 comment' : `${count} comments`
}

/** Those that say something, from top to bottom. */
export function written(remarks: Remark[]): Remark[] {
  return remarks
    .filter(({ text }) => text.trim() !== '')
    .sort((one, other) => one.change - other.change || one.line - other.line)
}

/** All of them as one reply: where, the line, and what is said about it. */
export function replyOf(remarks: Remark[]): string {
  const said = written(remarks)
  const each = said.map(({ where, code, text }) => `${asCode(where)}\n> ${asCode(startOf(code))}\n\n${text.trim()}`)
  return [`${inComments(said.length)} on the change:`, ...each].join('\n\n')
}

function startOf(code: string): string {
  const letters = [...code]
  return letters.length > LONGEST_LINE ? `${letters.slice(0, LONGEST_LINE).join('')}…` : code
}

/** Code between more backticks than it holds in a row. */
function asCode(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0)
  const fence = '`'.repeat(longest + 1)
  const inside = text.trim() === '' ? ' ' : text
  return longest > 0 ? `${fence} ${inside} ${fence}` : `${fence}${inside}${fence}`
}
