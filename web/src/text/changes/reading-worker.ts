import type { Given } from './long.ts'
import { type Piece, piecesOfReading } from './long-reading.ts'

/** A piece of it, or that this was all. */
export type Made = Piece | 'made'

addEventListener('message', ({ data }: MessageEvent<Given>) => {
  for (const piece of piecesOfReading(data)) postMessage(piece satisfies Made)
  postMessage('made' satisfies Made)
})
