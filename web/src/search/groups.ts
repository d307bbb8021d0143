import type { Hit } from '../../../src/protocol/timeline.ts'

export interface HitGroup {
  conversation: string
  title: string
  hits: Hit[]
}

/** By conversation, the one with the newest hit first; its hits stay newest first. */
export function groupsOf(hits: Hit[]): HitGroup[] {
  const groups = Map.groupBy(hits, ({ conversation }) => conversation)
  return [...groups].map(([conversation, own]) => ({ conversation, title: own[0]?.title ?? conversation, hits: own }))
}

/** The pieces of a line, those that match marked. */
export function piecesOf({ text, ranges }: Hit['snippet']): { text: string; matches: boolean }[] {
  const pieces: { text: string; matches: boolean }[] = []
  let from = 0
  for (const [start, end] of ranges) {
    pieces.push({ text: text.slice(from, start), matches: false }, { text: text.slice(start, end), matches: true })
    from = end
  }
  pieces.push({ text: text.slice(from), matches: false })
  return pieces.filter((piece) => piece.text !== '')
}
