/** For each word one of its sets of terms, and one place of each group. Quoted, nothing in them is an operator. */
export function matchOf(words: string[][][], places: string[][]): string {
  const sets = words.map((word) => word.map((terms) => `(${terms.map(quoted).join(' AND ')})`))
  const groups = places.map((group) => group.map(quoted))
  return [...sets, ...groups].map((either) => `(${either.join(' OR ')})`).join(' AND ')
}

function quoted(term: string): string {
  return `"${term.replaceAll('"', '""')}"`
}

const PRIVATE_USE = 0xe000
const PRIVATE_USE_SIZE = 6400

/** The number of a conversation as three letters that no text has: one more word to match finds its entries alone. */
export function placeOf(number: number): string {
  const digits = [number, number / PRIVATE_USE_SIZE, number / PRIVATE_USE_SIZE ** 2]
  return String.fromCharCode(...digits.map((digit) => PRIVATE_USE + (Math.floor(digit) % PRIVATE_USE_SIZE)))
}

/** The place of a tag, whatever its length. Two tags may share it, so that what is found is looked at. */
export function placeOfTag(tag: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < tag.length; at++) hash = Math.imul(hash ^ tag.charCodeAt(at), 0x01000193)
  return placeOf(hash >>> 0)
}
