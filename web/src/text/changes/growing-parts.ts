import { GrowingLines } from './growing-lines.ts'
import type { Given } from './long.ts'
import { type ChangedFile, type Outlined, type Piece, piecesOfReading } from './long-reading.ts'

/** One that is a change has lines. */
export type GrowingReading = { reading: Outlined; lines?: GrowingLines }

/** The parts of a call to show, piece by piece. */
export class GrowingParts {
  files: (ChangedFile & { lines: GrowingLines })[] = []
  readings: GrowingReading[] | undefined
  #lines: GrowingLines[] = []

  take(piece: Piece) {
    if ('lines' in piece) return this.#lines[piece.part]?.add(piece.lines)
    const { files, readings } = piece.outline
    this.files = files.map((file) => ({ ...file, lines: new GrowingLines() }))
    this.readings = readings?.map((reading) =>
      reading.kind === 'change' ? { reading, lines: new GrowingLines() } : { reading },
    )
    this.#lines = [...this.files, ...(this.readings ?? [])].flatMap(({ lines }) => lines ?? [])
  }

  /** That was all. */
  end() {
    for (const lines of this.#lines) lines.end()
  }
}

/** All of it, at once. */
export function wholeParts(given: Given): GrowingParts {
  const parts = new GrowingParts()
  for (const piece of piecesOfReading(given)) parts.take(piece)
  parts.end()
  return parts
}
