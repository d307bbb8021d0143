import type { LogEntry } from '../journal.ts'
import type { Write } from './sqlite-store.ts'

/** A write that waits for its commit. */
/** `settled` is given `conflict` when the write came too late, and the entries of an append or the revision of a note. */
export type Queued<One extends Write = Write> = {
  write: One
  settled(answer: SettledWrite): void
  refused(error: unknown): void
}
export type SettledWrite = { entries: LogEntry[] } | { revision: number } | 'done' | 'conflict'
