import { Lexer, type MarkedToken } from 'marked'
import { partsOf } from './fences.ts'
import { count, isTame } from './tame.ts'

/** Letters times marks: within one paragraph every mark is compared with every other one. */
const MOST_WORK = 1_500_000
const MOST_MARKS = 400
const MARK = /[*_~[\]`<!@\\]|:\/\/|www\./g
const OPTIONS = { gfm: true, breaks: true }

/** What the marks of Markdown say, and nothing made of it yet; undefined when finding that out would take too long. */
export function tokensOf(text: string): MarkedToken[] | undefined {
  if (!isTame(text)) return undefined
  const lexer = new Lexer(OPTIONS)
  // Markdown has no such letter, and nobody would see it.
  for (const part of partsOf(text.replaceAll('\0', '\ufffd').replace(/\r\n?/g, '\n'))) {
    if (part.prose !== undefined) lexer.blockTokens(part.prose, lexer.tokens)
    else lexer.tokens.push({ type: 'code', raw: part.raw, lang: part.language, text: part.code })
  }
  if (!isQuick(lexer.inlineQueue)) return undefined
  for (const { src, tokens } of lexer.inlineQueue) lexer.inlineTokens(src, tokens)
  return lexer.tokens as MarkedToken[]
}

function isQuick(paragraphs: { src: string }[]): boolean {
  let work = 0
  for (const { src } of paragraphs) {
    const marks = count(src, MARK)
    work += marks * src.length
    if (marks > MOST_MARKS || work > MOST_WORK) return false
  }
  return true
}
