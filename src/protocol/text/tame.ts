import { partsOf } from './fences.ts'

/**
 * Beyond this a text is data rather than prose, and parsing it could freeze the page; it is shown as it is. So is a
 * short one that was made to keep the parser busy: each limit is far above prose and below what takes long.
 */
export const LONGEST_PROSE = 50_000

const MOST_LINES = 3000
const MOST_ITEMS = 1500
const MOST_CELLS = 6000
/** Letters times lines: each line of an item looks in all that follow for what could end it. */
const MOST_IN_ITEMS = 4_000_000
const LONGEST_NAME = 1000
/** What the parser takes for a part of it. */
const NOT_IN_NAME = /[^\w.!#$%&'*+/=?`{|}~-]/
/** Blanks between two words; the parser tries each of them. */
const BLANKS = /[ \t]{200}/
const ITEM = /^[ \t>]*(?:[*+-]|\d{1,9}[.)])(?:[ \t]|$)/gm
/** Thirty levels of quotes and lists on one line, or lists indented as far. */
const DEEP = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])){30}|^[ \t]{60,}(?:[*+-]|\d{1,9}[.)])[ \t]/m

/** Whether it is prose whose blocks take no time to speak of. */
export function isTame(text: string): boolean {
  if (text.length > LONGEST_PROSE || count(text, /\n/g) > MOST_LINES) return false
  const prose = partsOf(text)
    .map((part) => part.prose ?? '')
    .join('\n')
  return (
    !DEEP.test(prose) &&
    !BLANKS.test(prose) &&
    count(prose, ITEM) <= MOST_ITEMS &&
    count(prose, /\|/g) <= MOST_CELLS &&
    costOfItems(prose) <= MOST_IN_ITEMS &&
    !hasEndlessName(prose)
  )
}

function costOfItems(prose: string): number {
  let cost = 0
  for (const paragraph of prose.split(/\n[ \t]*\n/))
    for (const item of paragraph.split(ITEM).slice(1)) cost += count(item, /\n/g) * item.length
  return cost
}

export function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0
}

/** Whether what stands before some `@` could be the name of a mailbox, and is longer than any. */
function hasEndlessName(text: string): boolean {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const before = text.slice(Math.max(0, at - LONGEST_NAME), at)
    if (before.length === LONGEST_NAME && !NOT_IN_NAME.test(before)) return true
  }
  return false
}
