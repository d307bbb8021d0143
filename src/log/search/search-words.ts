import { beginsAlike, inRows, isOneEditAway, mayBeMistyped, trigramsAround } from './similar-words.ts'
import { beginningOf, stemOf } from './word-forms.ts'

const MARKS = /[\u0300-\u036f]/g
const ASCII = /^[\0-\x7f]*$/
const QUOTED_OR_WORD = /"([^"]+)"|\S+/g
const LETTER = /[\p{L}\p{N}_]/u
const TOKEN = /[\p{L}\p{N}_]+/gu
/** A word in a text is looked at no further than this. */
const LONGEST_TOKEN = 60

type Span = [start: number, end: number]

/** A word of a query. */
export interface Word {
  /** Sets of three letters in a row: a text that has the word has all of one of them. None tell nothing. */
  trigrams: string[][]
  /** Where it is in a folded text. */
  placesIn(folded: string): Iterable<Span>
}

/** Letters without their case and accents, and each run of blanks as one: text and query are compared in this form. */
export function fold(text: string): string {
  const plain = ASCII.test(text) ? text : text.toWellFormed().normalize('NFD').replace(MARKS, '')
  // A sigma at the end of a word has a form of its own.
  return plain.toLowerCase().replaceAll('ς', 'σ').replace(/\s+/g, ' ')
}

/**
 * The words of a query, each once: as they are, as part of a word too, or in another form; what is in quotes only as it
 * is. `similar` words are one letter away. A zero would end the query where it is looked up, so it parts words.
 */
export function wordsOf(query: string, similar = false): Word[] {
  const words = new Map<string, Word>()
  for (const [whole, quoted] of query.replaceAll('\0', ' ').matchAll(QUOTED_OR_WORD)) {
    const text = fold(quoted ?? whole).trim()
    if (text === '') continue
    if (quoted !== undefined) words.set(`"${text}`, exactly(text))
    else words.set(text, similar && mayBeMistyped(text) ? nearly(text) : inAnyForm(text))
  }
  return [...words.values()]
}

/** Whether there is a word in the query that may be mistyped. */
export function hasSimilar(query: string): boolean {
  return Array.from(query.matchAll(QUOTED_OR_WORD)).some(([word, quoted]) => !quoted && mayBeMistyped(fold(word)))
}

/** Whether every one of these words is in the text. */
export function holdsAll(text: string, words: Word[]): boolean {
  const folded = fold(text)
  return words.every((word) => !word.placesIn(folded)[Symbol.iterator]().next().done)
}

function exactly(text: string): Word {
  return { trigrams: rowsOf(text), placesIn: (folded) => placesOf(text, folded) }
}

function inAnyForm(text: string): Word {
  const stem = stemOf(text)
  const beginning = stem === text ? text : beginningOf(stem)
  if (beginning === undefined) return exactly(text)
  return {
    trigrams: rowsOf(beginning),
    *placesIn(folded) {
      for (const [start, end] of placesOf(beginning, folded)) {
        if (folded.startsWith(text, start)) yield [start, start + text.length]
        else if (start === 0 || !LETTER.test(folded[start - 1] ?? '')) {
          const to = endOfToken(folded, end)
          if (stemOf(folded.slice(start, to)) === stem) yield [start, to]
        }
      }
    },
  }
}

function nearly(text: string): Word {
  const stem = stemOf(text)
  return {
    trigrams: trigramsAround(beginningOf(stem) ?? text),
    *placesIn(folded) {
      for (const { 0: token, index } of folded.matchAll(TOKEN)) {
        if (token.length < text.length - 4 || token.length > LONGEST_TOKEN) continue
        if (isOneEditAway(stemOf(token), stem) || beginsAlike(token, text)) yield [index, index + token.length]
      }
    },
  }
}

function* placesOf(text: string, folded: string): Iterable<Span> {
  for (let at = folded.indexOf(text); at >= 0; at = folded.indexOf(text, at + text.length)) yield [at, at + text.length]
}

function endOfToken(folded: string, from: number): number {
  let to = from
  while (to < folded.length && to < from + LONGEST_TOKEN && LETTER.test(folded[to] ?? '')) to++
  return to
}

function rowsOf(text: string): string[][] {
  const rows = [...new Set(inRows([...text]))]
  return rows.length > 0 ? [rows] : []
}
