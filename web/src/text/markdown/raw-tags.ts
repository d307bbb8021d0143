const TAGS = [
  ...(['b', 'br', 'code', 'del', 'details', 'em', 'hr', 'i', 'ins', 'kbd', 'mark', 'p', 'pre', 's', 'strong'] as const),
  ...(['sub', 'summary', 'sup', 'u'] as const),
]
/** Raw HTML an agent may mean; any other tag is shown as the text it is, because `<Button>` is usually talk about code. */
export type RawTag = (typeof TAGS)[number]

const BARE_TAG = /^<(\/?)(\w+)\s*\/?>$/
const PIECE = /<[^>]*>?|[^<]+/g
/** Tags that stand on lines of their own. */
const BLOCKS: RawTag[] = ['details', 'hr', 'p', 'pre', 'summary']

/** A part of raw HTML: some words, or a tag that begins or ends here. */
export type RawPiece = { kind: 'words'; text: string } | { kind: 'begin' | 'end'; tag: RawTag }

/** Its parts; undefined when any tag in it is not known or has attributes. */
export function rawPieces(html: string): RawPiece[] | undefined {
  const pieces = (html.match(PIECE) ?? []).map(pieceOf)
  return pieces.every((piece) => piece !== undefined) ? pieces : undefined
}

export function isRawBlock(tag: RawTag): boolean {
  return BLOCKS.includes(tag)
}

function pieceOf(text: string): RawPiece | undefined {
  if (!text.startsWith('<')) return { kind: 'words', text }
  const [, slash, name] = BARE_TAG.exec(text) ?? []
  const tag = TAGS.find((known) => known === name?.toLowerCase())
  // Some write `</br>`, and every browser takes it for a break.
  return tag && { kind: slash && tag !== 'br' ? 'end' : 'begin', tag }
}
