/** A word of fewer letters is one edit away from too many others. */
const SHORTEST = 5
const SHORTEST_BEGINNING = 6
const MOST_ZONES = 12
const TRIGRAMS_OF_ZONE = 3
const LETTERS = /^\p{L}+$/u

/** Whether others may be meant by it. */
export function mayBeMistyped(word: string): boolean {
  return word.length >= SHORTEST && LETTERS.test(word)
}

/** Whether one is the other with one letter more, less, other or in its neighbour's place. */
export function isOneEditAway(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1) return false
  let from = 0
  while (from < short.length && short[from] === long[from]) from++
  if (from === short.length) return true
  if (short.length < long.length) return short.slice(from) === long.slice(from + 1)
  if (short.slice(from + 1) === long.slice(from + 1)) return true
  const areSwapped = short[from] === long[from + 1] && short[from + 1] === long[from]
  return areSwapped && short.slice(from + 2) === long.slice(from + 2)
}

/** Whether it begins as the word does, but for one letter: people look at hits while they type. */
export function beginsAlike(token: string, word: string): boolean {
  if (word.length < SHORTEST_BEGINNING) return false
  return [-1, 0, 1].some((more) => isOneEditAway(token.slice(0, word.length + more), word))
}

/**
 * Wherever one letter is wrong, the others are right: for each place of the wrong one, some three letters in a row that
 * are none the less there.
 */
export function trigramsAround(word: string): string[][] {
  const letters = [...word]
  // A letter that changed places with the next one is within one of them.
  const width = Math.max(2, Math.ceil(letters.length / MOST_ZONES))
  const zones: string[][] = []
  for (let from = 0; from < letters.length; from += width - 1) {
    const trigrams = [...inRows(letters.slice(0, from)), ...inRows(letters.slice(from + width))]
    if (trigrams.length > 0) zones.push(spread(trigrams))
  }
  return zones
}

/** Every three letters in a row. */
export function inRows(letters: string[]): string[] {
  return letters.slice(0, Math.max(0, letters.length - 2)).map((_, at) => letters.slice(at, at + 3).join(''))
}

/** The first, the last and one between them tell as much as all. */
function spread(trigrams: string[]): string[] {
  if (trigrams.length <= TRIGRAMS_OF_ZONE) return trigrams
  return [0, trigrams.length >> 1, trigrams.length - 1].flatMap((at) => trigrams[at] ?? [])
}
