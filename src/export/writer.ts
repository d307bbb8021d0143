import type { FileStore } from '../files/file-store.ts'
import type { Entry } from '../protocol/entry.ts'

/** What the entries only name. */
export type Contents = Pick<FileStore, 'base64'>

/** Text, or as much of it as nobody should hold at once. */
export type Piece = string | AsyncIterable<string>

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
