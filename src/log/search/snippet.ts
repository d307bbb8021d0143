import type { Snippet } from './search.ts'
import { fold, type Word } from './search-words.ts'

type Span = [start: number, end: number]

// The length is about three lines of a narrow list.
const LENGTH = 180
const LEAD = 50

/** One line around the first match. */
export function snippetOf(text: string, words: Word[]): Snippet {
  const [first] = spansOf(text, words)
  const start = first && first[0] > LEAD ? wordStart(text, first[0] - LEAD, first[0]) : 0
  const piece = text.slice(start, start + LENGTH).toWellFormed()
  const line = piece.replace(/\s+/g, ' ').trim()
  const [before, after] = [start > 0 ? '…' : '', start + LENGTH < text.length ? '…' : '']
  const ranges = merged(spansOf(line, words)).map(([from, to]): Span => [from + before.length, to + before.length])
  return { text: before + line + after, ranges }
}

/** The places of the words in the text as it was written. */
function spansOf(text: string, words: Word[]): Span[] {
  const { folded, places } = foldWithPlaces(text)
  const placed = ([start, end]: Span): Span => [places[start] ?? 0, places[end] ?? 0]
  return words.flatMap((word) => Array.from(word.placesIn(folded), placed)).sort(([a], [b]) => a - b)
}

/** The same as `fold`, and for each of its letters where that one was. Never looks at what it has so far, which is long. */
function foldWithPlaces(text: string): { folded: string; places: number[] } {
  const letters: string[] = []
  const places: number[] = []
  let place = 0
  let last = ''
  for (const letter of text) {
    const plain = fold(letter)
    if (plain !== ' ' || last !== ' ') {
      letters.push(plain)
      for (let unit = 0; unit < plain.length; unit++) places.push(place)
    }
    last = plain || last
    place += letter.length
  }
  places.push(place)
  return { folded: letters.join(''), places }
}

/** A snippet that begins inside a word is hard to read. */
function wordStart(text: string, from: number, to: number): number {
  const blank = text.slice(from, to).search(/\s/)
  return blank < 0 ? from : from + blank + 1
}

function merged(spans: Span[]): Span[] {
  const apart: Span[] = []
  for (const [start, end] of spans) {
    const last = apart.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else apart.push([start, end])
  }
  return apart
}
