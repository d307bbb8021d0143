import { Lexer, type MarkedToken } from 'marked'
import { partsOf } from './fences.ts'
import { count } from './tame.ts'

/** Letters times marks: within one paragraph every mark is compared with every other one. */
const MOST_WORK = 4_000_000
const MOST_MARKS = 800
const MARK = /[*_~[\]`<!@\\]|:\/\/|www\./g
const OPTIONS = { gfm: true, breaks: true }

/** What the marks of Markdown say, and nothing made of it yet. Paragraphs that would take too long are words alone. */
export function tokensOf(text: string): MarkedToken[] {
  const lexer = new Lexer(OPTIONS)
  // Markdown has no such letter, and nobody would see it.
  for (const part of partsOf(text.replaceAll('\0', '\ufffd').replace(/\r\n?/g, '\n'))) {
    if (part.prose !== undefined) lexer.blockTokens(part.prose, lexer.tokens)
    else lexer.tokens.push({ type: 'code', raw: part.raw, lang: part.language, text: part.code })
  }
  let left = MOST_WORK
  for (const { src, tokens } of lexer.inlineQueue) {
    const marks = count(src, MARK)
    left -= marks * src.length
    if (marks <= MOST_MARKS && left > 0) lexer.inlineTokens(src, tokens)
    else tokens.push({ type: 'text', raw: src, text: src, escaped: false })
  }
  return lexer.tokens as MarkedToken[]
}
