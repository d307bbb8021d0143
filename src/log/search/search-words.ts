const MARKS = /[\u0300-\u036f]/g
const ASCII = /^[\0-\x7f]*$/
const QUOTED_OR_WORD = /"([^"]+)"|\S+/g

/** Letters without their case and accents, and each run of blanks as one: text and query are compared in this form. */
export function fold(text: string): string {
  const plain = ASCII.test(text) ? text : text.toWellFormed().normalize('NFD').replace(MARKS, '')
  // A sigma at the end of a word has a form of its own.
  return plain.toLowerCase().replaceAll('ς', 'σ').replace(/\s+/g, ' ')
}

/** The words of a query, each once, folded. A zero would end the query where it is looked up, so it parts words. */
export function wordsOf(query: string): string[] {
  const words = Array.from(query.replaceAll('\0', ' ').matchAll(QUOTED_OR_WORD), ([word, quoted]) =>
    fold(quoted ?? word).trim(),
  )
  return [...new Set(words)].filter((word) => word !== '')
}

/** Whether every one of these words is in the text. */
export function holdsAll(text: string, words: string[]): boolean {
  const folded = fold(text)
  return words.every((word) => folded.includes(word))
}

/** Every three letters in a row, each once, at most so many. */
export function trigramsOf(words: string[], most: number): string[] {
  const found = new Set<string>()
  for (const word of words) {
    const letters = [...word]
    for (let n = 0; n + 3 <= letters.length && found.size < most; n++) found.add(letters.slice(n, n + 3).join(''))
  }
  return [...found]
}
