import type { FoundRow, RowsFound, RowsWanted } from './sqlite-search.ts'

/** The most entries that one search looks into, in all its pieces. */
const MOST_LOOKED_AT = 1000

type Whole = Omit<RowsWanted, 'most' | 'goesOn'>

/** Each piece is a call of its own, so that appends come in between. */
export async function searchInPieces(wanted: Whole, search: (piece: RowsWanted) => Promise<RowsFound>) {
  const hits: FoundRow[] = []
  let left = MOST_LOOKED_AT
  let piece = await search({ ...wanted, most: left })
  const { indexing } = piece
  for (;;) {
    hits.push(...piece.hits)
    left -= piece.looked
    if (piece.isEnough) return { hits, next: hits.at(-1)?.[0], indexing }
    if (piece.next === undefined || left === 0) return { hits, next: piece.next, indexing }
    piece = await search({ ...wanted, before: piece.next, limit: wanted.limit - hits.length, most: left, goesOn: true })
  }
}
