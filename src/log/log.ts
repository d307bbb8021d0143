/**
 * An append-only log of conversations. Knows nothing of chat: a body is any JSON value.
 * Every engine keeps the same promises; `log-contract.ts` states and tests them.
 */
export interface Log {
  /**
   * Appends the drafts in order and resolves once they are durable, with one entry for each draft.
   * A draft whose key its conversation already holds appends nothing and yields the entry that holds it.
   * Rejects with `Conflict`, having appended nothing, when `expectedLast` is not the conversation's last id,
   * unless the keys of all drafts are held already: a retry is answered however far the conversation has moved on.
   */
  append(conversation: string, expectedLast: string, drafts: Draft[]): Promise<LogEntry[]>
  /** A page in ascending order: the first entries after `after`, or the last ones before `before`. */
  read(page: Page): Promise<LogEntry[]>
  find(conversation: string, key: string): Promise<LogEntry | undefined>
  /**
   * Delivers every entry after `after`, each once and in order, with no gap between history and live.
   * While `entries` returns a pending promise nothing more is delivered, and nothing is kept in memory either:
   * what was appended meanwhile is read from the log afterwards.
   */
  follow(from: { conversation?: string; after: string }, follower: Follower): Following
  /** To the followers of the conversation now; never stored. */
  signal(conversation: string, signal: unknown): void
  /** Conversations by their last entry, newest first, those before `before` only. */
  conversations(page: { before?: string; limit: number }): Promise<LastEntry[]>
  snapshot: {
    get(conversation: string): Promise<Snapshot | undefined>
    put(conversation: string, snapshot: Snapshot): Promise<void>
  }
  /** The id of the newest entry of all conversations. */
  last(): Promise<string>
  close(): Promise<void>
}

export interface Draft {
  key?: string
  /** A JSON value. Followers are handed this very object, so it must not change afterwards. */
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

export interface Page {
  /** Without it, the page is of the whole log. */
  conversation?: string
  after?: string
  before?: string
  limit: number
}

export interface Follower {
  entries(entries: LogEntry[]): void | Promise<void>
  signal?(conversation: string, signal: unknown): void
  /** The log could not be read any further, or this follower threw; the following is over. Unhandled without it. */
  failed?(error: unknown): void
}

export interface Following {
  close(): void
}

export interface LastEntry {
  conversation: string
  last: string
}

export interface Snapshot {
  /** The id of the last entry the state covers. */
  at: string
  state: unknown
}

export const NO_ENTRY = '0'.repeat(16)

/** The conversation's last id was not the expected one; nothing was appended. */
export class Conflict extends Error {
  override readonly name = 'Conflict'
}

/** Where a log lives could not be opened. `reason` says why, in words. */
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
