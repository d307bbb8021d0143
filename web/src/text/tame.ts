/**
 * Beyond this a text is data rather than prose, and parsing it could freeze the page; it is shown as it is. So is a
 * short one that was made to keep the parser busy: each limit is far above prose and below what takes long.
 */
export const LONGEST = 50_000

const MOST_LINES = 3000
/** Of one kind in the whole text. */
const MOST = { lists: 1500, cells: 6000, tags: 2000, links: 2000, emphasis: 8000 }
/** Within one paragraph every mark is compared with every other one. */
const MOST_IN_PARAGRAPH = 800
const LONGEST_NAME = 1000

/** Thirty levels of quotes and lists on one line, or lists indented as far. */
const DEEP = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])){30}|^[ \t]{60,}(?:[*+-]|\d{1,9}[.)])[ \t]/m
const FENCED = /^ {0,3}(```|~~~)[^\n]*\n[\s\S]*?(?:^ {0,3}\1|$(?![\s\S]))/gm

/** Whether it is prose that takes no time to speak of. */
export function isTame(text: string): boolean {
  if (text.length > LONGEST || count(text, /\n/g) > MOST_LINES) return false
  // Nothing in there is looked at.
  const prose = text.replace(FENCED, '')
  return (
    !DEEP.test(prose) &&
    count(prose, /^[ \t>]*(?:[*+-]|\d{1,9}[.)])[ \t]/gm) <= MOST.lists &&
    count(prose, /\|/g) <= MOST.cells &&
    count(prose, /</g) <= MOST.tags &&
    count(prose, /\]\(|:\/\/|www\.|@/g) <= MOST.links &&
    count(prose, /[*_~]/g) <= MOST.emphasis &&
    prose.split(/\n[ \t]*\n/).every((paragraph) => count(paragraph, /[*_~[]/g) <= MOST_IN_PARAGRAPH) &&
    !hasEndlessName(prose)
  )
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0
}

/** Whether what stands before some `@` could be the name of a mailbox, and is longer than any. */
function hasEndlessName(text: string): boolean {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const before = text.slice(Math.max(0, at - LONGEST_NAME), at)
    if (before.length === LONGEST_NAME && !/[^\w.+-]/.test(before)) return true
  }
  return false
}
