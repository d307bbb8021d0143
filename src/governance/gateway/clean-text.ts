import { isRecord } from '../../protocol/text/record.ts'

/** Characters that are not there to be read: controls, marks that turn the direction of a text, and invisible tags. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

const HIDDEN = new RegExp(`${UNSEEN.source}|[\\n\\t]`, 'gu')
/** Texts that are only read. */
const SAID = ['title', 'description']

/** A text of a server as people and models can read it. */
export function cleanText(text: string): string {
  return text.replace(UNSEEN, '')
}

/** Whether all of it can be seen, on one line. */
export function isPlain(text: string): boolean {
  return text !== '' && visible(text) === text
}

/** The same text with everything in it to be seen. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
}

/** What a server says of a tool, wherever in it, and of whatever else it lists. Nothing else of it is touched. */
export function withCleanTexts<Of>(said: Of): Of {
  if (Array.isArray(said)) return said.map(withCleanTexts) as Of
  if (!isRecord(said)) return said
  const cleaned = Object.entries(said).map(([key, value]) => [
    key,
    typeof value === 'string' && SAID.includes(key) ? cleanText(value) : withCleanTexts(value),
  ])
  return Object.fromEntries(cleaned) as Of
}
