/** What does something else than to be read: controls, marks that turn the direction of a text, and invisible tags. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

/** A text of a server as people and models can read it. */
export function cleanText(text: string): string {
  return text.replace(UNSEEN, '')
}

/** Whether all of it can be seen, on one line. */
export function isPlain(text: string): boolean {
  return text !== '' && !/[\n\t]/.test(text) && cleanText(text) === text
}
