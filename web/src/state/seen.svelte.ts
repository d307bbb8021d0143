import { SvelteMap } from 'svelte/reactivity'
import { BEFORE_ALL, type Entry } from '../../../src/protocol/entry.ts'
import type { Conversation } from '../../../src/protocol/fold.ts'

const STORED_AS = 'parley.seen'
const KEPT = 500

/** Up to where the person has looked at each conversation. Kept in the browser, because it is about this screen. */
export class Seen {
  readonly #store: Pick<Storage, 'getItem' | 'setItem'>
  readonly #upTo = new SvelteMap<string, string>()
  readonly #firstVisit: boolean

  constructor(store: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#store = store
    const stored = store.getItem(STORED_AS)
    this.#firstVisit = stored === null
    for (const [conversation, id] of Object.entries(JSON.parse(stored ?? '{}')))
      this.#upTo.set(conversation, String(id))
  }

  /** On the first visit everything that is already there counts as seen. */
  isUnread({ id, last }: Conversation): boolean {
    return (this.#upTo.get(id) ?? (this.#firstVisit ? last : BEFORE_ALL)) < last
  }

  /** Undefined when this browser has never looked at it. */
  upTo(conversation: string): string | undefined {
    return this.#upTo.get(conversation)
  }

  look({ id, last }: Conversation) {
    if ((this.#upTo.get(id) ?? '') >= last) return
    this.#upTo.set(id, last)
    const newest = [...this.#upTo].sort(([, a], [, b]) => (a < b ? 1 : -1)).slice(0, KEPT)
    this.#store.setItem(STORED_AS, JSON.stringify(Object.fromEntries(newest)))
  }

  /** Before something new comes: what is there now is the line below which nothing is unread. */
  remember(conversation: Conversation) {
    if (this.#firstVisit && !this.#upTo.has(conversation.id)) this.look(conversation)
  }
}

/** Receipts, the person's own words and what an agent does on its way are nothing to call the person for; that it failed is. */
export function isNews({ body }: Entry): boolean {
  return body.kind === 'question' || body.kind === 'error' || (body.kind === 'message' && body.author === 'assistant')
}
