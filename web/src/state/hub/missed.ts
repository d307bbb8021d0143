import { BEFORE_ALL } from '../../../../src/protocol/entries/entry.ts'
import type { ConversationState } from '../../../../src/protocol/entries/fold.ts'
import type { Page } from '../conversation/timeline.svelte.ts'
import type { Seen } from '../list/seen.svelte.ts'
import { newKey } from './key.ts'
import type { Request } from './link.svelte.ts'

/** Messages from while no page was open. The fold does not tell words from receipts, so they are read. */
export class Missed {
  readonly #seen: Seen
  readonly #send: (request: Request) => void
  readonly #reading = new Set<string>()

  constructor(seen: Seen, send: (request: Request) => void) {
    this.#seen = seen
    this.#send = send
  }

  count(conversation: ConversationState) {
    const after = this.#seen.since(conversation)
    if (after !== undefined) this.#read(conversation.id, after)
  }

  /** Whether the page was read for this, and so is for nobody else. */
  take({ key = '', conversation: { id }, entries, has_newer }: Page): boolean {
    if (!this.#reading.delete(key)) return false
    const last = entries.at(-1)?.id ?? BEFORE_ALL
    this.#seen.note(id, entries)
    if (has_newer && !this.#seen.isFull(id)) this.#read(id, last)
    else if (this.#seen.unread(id) === 0) this.#seen.look({ id, last })
    return true
  }

  #read(conversation: string, after: string) {
    const key = newKey()
    this.#reading.add(key)
    this.#send({ type: 'read', key, conversation, after })
  }
}
