import { partsOf } from '../../../../src/protocol/text/fences.ts'
import { tokensOf } from '../../../../src/protocol/text/markdown.ts'
import { wordsOf } from './words.ts'

/** Only this much of the end is looked at. */
const TAIL = 1000
const NO_WORDS = ['code', 'table', 'hr', 'space', 'def', 'html']
/** The marks of many scripts, before whatever closes the sentence; the Armenian one stands inside a word. */
const ASKS = /[?？؟⁇⁈⁉⸮;፧꘏]\p{P}*$|՞/u
const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** The last question of a text, without its marks, or else its last sentence. */
export function lastQuestion(text: string): string {
  const said = blocksOf(proseIn(text).slice(-TAIL)).flatMap(sentencesIn)
  return said.findLast((sentence) => ASKS.test(sentence)) ?? said.at(-1) ?? text.slice(0, TAIL).trim()
}

/** A block of code that the tail only has the end of would be taken for words, and what follows it for code. */
function proseIn(text: string): string {
  return partsOf(text)
    .map(({ prose = '\n\n' }) => prose)
    .join('')
}

function blocksOf(tail: string): string[] {
  const tokens = tokensOf(tail)
  if (!tokens) return tail.split('\n')
  return tokens.flatMap((token) => {
    if (NO_WORDS.includes(token.type)) return []
    return token.type === 'list' ? token.items.map((item) => wordsOf([item])) : wordsOf([token])
  })
}

function sentencesIn(block: string): string[] {
  const found: string[] = []
  for (const { segment } of sentences.segment(block)) {
    const before = found.at(-1)
    if (before !== undefined && goesOn(before, segment)) found[found.length - 1] = before + segment
    else found.push(segment)
  }
  return found.map((sentence) => sentence.replace(/\s+/g, ' ').trim()).filter(Boolean)
}

/** The mark is part of an address, or of what is quoted in the middle. */
function goesOn(before: string, after: string): boolean {
  return /[?!.]$/.test(before) || (/[?!.]\p{P}+\s*$/u.test(before) && /^\p{Ll}/u.test(after))
}
