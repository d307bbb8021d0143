import type { Journal, LogEntry } from './journal.ts'
import type { Notes } from './notes.ts'
import type { Findings, SearchQuery } from './search/search.ts'

/** What can be asked of the entries of a journal: a cache, which can be thrown away at any moment and is built again from them. */
export interface Views {
  /**
   * A page in ascending order: the first entries after `after`, or the last ones before `before`. It ends at its limit or
   * when it is full, whichever comes first. [S60]
   */
  read(page: Page): Promise<Entries>
  find(conversation: string, key: string): Promise<LogEntry | undefined>
  /** The newest id of all when a conversation was forgotten last. Who has read no further may know of what is gone. */
  forgottenTo(): Promise<string>
  /** Those of the names that an entry has, of this conversation or of any. Looks at no entry. [F27] */
  named(names: string[], conversation?: string): Promise<string[]>
  /** Conversations by their last entry, newest first, those before `before` only. */
  conversations(page: { before?: string; limit: number }): Promise<LastEntry[]>
  snapshots: {
    /** Only a snapshot of this format counts: one of another version is as good as none. */
    get(name: string, format: number): Promise<Snapshot | undefined>
    put(name: string, snapshot: Snapshot): Promise<void>
  }
  /** The newest entries first that hold every word of the query, as part of a word too. Not every view can. [L30] */
  search?(wanted: SearchQuery): Promise<Findings>
  /** The tags that begin so, as far as entries are indexed. [L49] */
  tags?(beginning: string, limit: number): Promise<string[]>
}

/** An engine that is all three, in one place and one transaction. */
export type Log = Journal & Views & { notes: Notes }

export interface Page {
  /** The page is of the whole log without it. */
  conversation?: string
  after?: string
  before?: string
  limit: number
}

/** The entries of a page; `full` where its bytes ended it, and not its limit or the end of what there is. */
export type Entries = LogEntry[] & { full?: true }

/** What the bodies of one page may take; a single one comes whatever it takes. */
const PAGE_BYTES = 4 * 1024 * 1024

/** Whether one body more fits into a page. */
export function roomInPage() {
  let taken = 0
  return (text: string): boolean => {
    const bytes = Buffer.byteLength(text)
    const fits = taken === 0 || taken + bytes <= PAGE_BYTES
    taken += bytes
    return fits
  }
}

interface LastEntry {
  conversation: string
  last: string
}

export interface Snapshot {
  /** What the state looks like; of its maker's numbering. */
  format: number
  /** The id of the last entry the state covers. */
  at: string
  state: unknown
}
