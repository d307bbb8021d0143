import { styleOf } from './text-format.ts'

const BEGIN = '<!-- parley:begin -->'
const END = '<!-- parley:end -->'
/** Alone on their lines. */
const MARKS = /^<!-- parley:(?:begin|end) -->(?=[ \t]*\r?$)/gm

/** A text of others, with a marked paragraph at its end, or in the place where it was. */
export function withParagraph(text: string, paragraph: string): string {
  const { eol } = styleOf(text)
  const marked = [BEGIN, paragraph, END].join(eol)
  const place = placeIn(text)
  if (place) return text.slice(0, place.start) + marked + text.slice(place.end)
  // A mark counts only where it begins a line.
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol
  return `${text}${gap}${marked}${eol}`
}

export function withoutParagraph(text: string): string {
  const place = placeIn(text)
  if (!place) return text
  const before = text.slice(0, place.start)
  const after = text.slice(place.end).replace(/^\r?\n/, '')
  return after === '' ? before.replace(/(\n)\r?\n$/, '$1') : before + after
}

export function paragraphIn(text: string): string | undefined {
  const place = placeIn(text)
  return place && text.slice(place.start + BEGIN.length, place.end - END.length).trim()
}

/** From the mark that begins a line to the next one that ends it all, with no other between: a text may name its marks. */
function placeIn(text: string) {
  let start: number | undefined
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    if (mark === BEGIN) start = index
    else if (start !== undefined) return { start, end: index + END.length }
  }
  return undefined
}
