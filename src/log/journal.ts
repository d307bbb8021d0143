/**
 * The append-only log of conversations, which is the truth; what is forgotten is forgotten as a whole. Knows nothing of chat: a body is any JSON value.
 * Every engine keeps the same promises; `log-contract.ts` states and tests them.
 */
export interface Journal {
  /** Whether other processes append to it as well. Signals reach their followers too, unless they get lost. */
  readonly shared?: boolean
  /**
   * Appends the drafts in order and resolves once they are durable, with one entry for each draft.
   * A draft whose key its conversation already holds appends nothing and yields the entry that holds it.
   * Rejects with `Conflict`, having appended nothing, when `expectedLast` is not the conversation's last id,
   * unless the keys of all drafts are held already: a retry is answered however far the conversation has moved on.
   * Rejects with `DiskTrouble`, having appended nothing, when the disk is full or fails.
   */
  append(conversation: string, expectedLast: string, drafts: Draft[]): Promise<LogEntry[]>
  /**
   * Delivers every entry after `after`, each once and in order, with no gap between history and live.
   * While `entries` returns a pending promise nothing more is delivered, and nothing is kept in memory either:
   * what was appended meanwhile is read from the log afterwards.
   */
  follow(from: { conversation?: string; after: string }, follower: Follower): Following
  /** The id of the newest entry of all conversations. */
  last(): Promise<string>
  /**
   * The one way in which entries are ever removed: the whole conversation with its keys and its snapshot, and the notes
   * whose names begin with one of `traces`. Resolves once nobody can read any of it, also after a crash, and followers
   * were told; the name is free then. Rejects with `Conflict`, having removed nothing, as an append does.
   */
  forget(conversation: string, expectedLast: string, traces?: string[]): Promise<void>
  /** Resolves once nothing of what was forgotten is left in the place where the log is kept. */
  erased(): Promise<void>
  /** Signals go to the followers of the conversation now and are never stored. */
  signal(conversation: string, signal: unknown): void
  close(): Promise<void>
}

export interface Draft {
  key?: string
  /** A JSON value. Who appends and who follows is told what a reader would be told later, not this object. */
  body: unknown
}

export interface LogEntry {
  /** 16 decimal digits, growing through the whole log, assigned at commit. */
  id: string
  conversation: string
  /** Milliseconds since 1970, by the engine's clock. */
  at: number
  key?: string
  body: unknown
}

export interface Follower {
  entries(entries: LogEntry[]): void | Promise<void>
  signal?(conversation: string, signal: unknown): void
  /** Everything of it that was told is gone. What is told of it from now on is a new conversation of that name. */
  forgotten?(conversation: string): void
  /** The log could not be read any further, or this follower threw; the following is over. */
  failed(error: unknown): void
}

export interface Following {
  close(): void
}

/**
 * What the stored text of a body means: makes the value that live followers and later readers are both told. Where it
 * throws, they are told the text itself.
 */
export type ReadBody = (text: string) => unknown

/** The names in a body by which its conversation can be found. */
export type NamesIn = (body: unknown) => string[]

export const NO_ENTRY = '0'.repeat(16)

/** The conversation's last id was not the expected one; nothing was appended. */
export class Conflict extends Error {
  override readonly name = 'Conflict'
}

/** The disk took nothing of it. What it takes later is taken. */
export class DiskTrouble extends Error {
  override readonly name = 'DiskTrouble'
  readonly kind: 'full' | 'failing'

  constructor(kind: 'full' | 'failing', reason: string) {
    super(reason)
    this.kind = kind
  }
}

/** The place of a log could not be opened. `reason` says why, in words. */
export class LogUnavailable extends Error {
  override readonly name = 'LogUnavailable'
  readonly kind: 'unwritable' | 'in_use' | 'corrupt'

  constructor(kind: 'unwritable' | 'in_use' | 'corrupt', reason: string) {
    super(reason)
    this.kind = kind
  }
}

/** The greatest id that is smaller: reading after it begins with `id` itself. */
export function idBefore(id: string): string {
  return id === NO_ENTRY ? id : String(BigInt(id) - 1n).padStart(16, '0')
}
