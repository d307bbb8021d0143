import type { Entry } from '../protocol/entries/entry.ts'
import type { FileMark, Piece } from './pieces.ts'

/** The contents of files, which entries only name. */
export interface Contents {
  /** Nothing where a file is missing. */
  base64(hash: string): FileMark | undefined
}

/** One format: what comes before, for and after the entries. */
export interface Writer {
  begin(about: About): string
  entry(entry: Entry): Piece[]
  end(): Piece[]
}

export interface About {
  id: string
  title: string
  exportedAt: number
}
