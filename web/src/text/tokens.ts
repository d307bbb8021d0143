import { Lexer, type MarkedToken } from 'marked'

/** What the marks of Markdown say, and nothing made of it yet. */
export function tokensOf(text: string): MarkedToken[] {
  // Markdown has no such letter, and nobody would see it.
  return Lexer.lex(text.replaceAll('\0', '\ufffd'), { gfm: true, breaks: true }) as MarkedToken[]
}
