import type { Entry } from '../../../../src/protocol/entries/entry.ts'

/** Conversations beyond the list, with what came of them, until a page says what they are. */
export class PendingConversations {
  readonly #entries = new Map<string, Entry[]>()
  readonly #read: (conversation: string) => void

  constructor(read: (conversation: string) => void) {
    this.#read = read
  }

  /** An old one woke up. Folding its tail alone would forget its open questions. */
  meet(conversation: string, entries: Entry[]) {
    const waiting = this.#entries.get(conversation)
    this.#entries.set(conversation, [...(waiting ?? []), ...entries])
    if (!waiting) this.#read(conversation)
  }

  /** It is known now, or not there at all. */
  take(conversation: string): Entry[] {
    const entries = this.#entries.get(conversation) ?? []
    this.#entries.delete(conversation)
    return entries
  }

  clear() {
    this.#entries.clear()
  }
}
