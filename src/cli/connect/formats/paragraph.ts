import { styleOf } from './text-format.ts'

const BEGIN = '<!-- parley:begin -->'
const END = '<!-- parley:end -->'

/** A text of others, with a marked paragraph at its end, or in the place where it was. */
export function withParagraph(text: string, paragraph: string): string {
  const { eol } = styleOf(text)
  const marked = [BEGIN, paragraph, END].join(eol)
  const place = placeIn(text)
  if (place) return text.slice(0, place.start) + marked + text.slice(place.end)
  const gap = text.trim() === '' ? '' : text.endsWith('\n') ? eol : eol + eol
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

function placeIn(text: string) {
  const start = text.indexOf(BEGIN)
  const end = text.indexOf(END, start)
  return start < 0 || end < 0 ? undefined : { start, end: end + END.length }
}
