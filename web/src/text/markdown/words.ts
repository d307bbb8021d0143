import type { MarkedToken, Token, Tokens } from 'marked'
import { unreachable } from '../../../../src/protocol/unreachable.ts'
import { decoded } from './entities.ts'
import { isRawBlock, type RawPiece, rawPieces } from './raw-tags.ts'

/** The words without the marks. */
export function wordsOf(tokens: Token[]): string {
  return (tokens as MarkedToken[]).map(wordsIn).join('')
}

function wordsIn(token: MarkedToken): string {
  switch (token.type) {
    case 'text':
      return token.tokens ? wordsOf(token.tokens) : decoded(token.raw)
    case 'escape':
    case 'codespan':
      return token.text
    case 'em':
    case 'strong':
    case 'del':
    case 'image':
      return wordsOf(token.tokens)
    case 'link':
      return token.autolink ? token.text : wordsOf(token.tokens)
    case 'html':
      return rawPieces(token.text)?.map(rawWords).join('') ?? token.text
    case 'paragraph':
    case 'heading':
    case 'blockquote':
    case 'list_item':
      return ` ${wordsOf(token.tokens)} `
    case 'list':
      return wordsOf(token.items)
    case 'table':
      return tableWords(token)
    case 'code':
      return ` ${token.text} `
    case 'br':
    case 'hr':
    case 'space':
      return ' '
    case 'checkbox':
    case 'def':
      return ''
    default:
      return unreachable(token)
  }
}

function rawWords(piece: RawPiece): string {
  if (piece.kind === 'words') return decoded(piece.text)
  return piece.tag === 'br' || isRawBlock(piece.tag) ? ' ' : ''
}

function tableWords({ header, rows }: Tokens.Table): string {
  return [header, ...rows].flatMap((row) => row.map(({ tokens }) => ` ${wordsOf(tokens)} `)).join('')
}
