import { SvelteMap } from 'svelte/reactivity'
import { BEFORE_ALL, type Entry } from '../../../src/protocol/entry.ts'
import type { Conversation } from '../../../src/protocol/fold.ts'
import { keepIn } from './store.ts'

const STORED_AS = 'parley.seen'
const KEPT = 500
/** More is not counted; "99+" says enough. */
const COUNTED = 100

/** Up to where the person has looked at each conversation. Kept in the browser, because it is about this screen. */
export class Seen {
  readonly #store: Pick<Storage, 'getItem' | 'setItem'>
  readonly #upTo = new SvelteMap<string, string>()
  /** By id, because what was missed comes in pages and live, in any order and twice. */
  readonly #unread = new SvelteMap<string, ReadonlySet<string>>()
  readonly #firstVisit: boolean

  constructor(store: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#store = store
    const stored = store.getItem(STORED_AS)
    this.#firstVisit = stored === null
    for (const [conversation, id] of Object.entries(JSON.parse(stored ?? '{}')))
      this.#upTo.set(conversation, String(id))
  }

  /** How much is new, as far as it is known and worth counting. */
  unread(conversation: string): number {
    return this.#unread.get(conversation)?.size ?? 0
  }

  /** Undefined when this browser has never looked at it. */
  upTo(conversation: string): string | undefined {
    return this.#upTo.get(conversation)
  }

  isFull(conversation: string): boolean {
    return this.unread(conversation) >= COUNTED
  }

  /** After which entry there may be news. */
  since({ id, last }: Conversation): string | undefined {
    const upTo = this.#upTo.get(id) ?? BEFORE_ALL
    return upTo < last ? upTo : undefined
  }

  note(conversation: string, entries: Entry[]) {
    const upTo = this.#upTo.get(conversation) ?? BEFORE_ALL
    const news = entries.filter((entry) => entry.id > upTo && isNews(entry)).map(({ id }) => id)
    if (news.length === 0 || this.isFull(conversation)) return
    this.#unread.set(conversation, new Set([...(this.#unread.get(conversation) ?? []), ...news]))
  }

  look({ id, last }: Pick<Conversation, 'id' | 'last'>) {
    this.#unread.delete(id)
    if ((this.#upTo.get(id) ?? '') >= last) return
    this.#upTo.set(id, last)
    const newest = [...this.#upTo].sort(([, a], [, b]) => (a < b ? 1 : -1)).slice(0, KEPT)
    keepIn(this.#store, STORED_AS, JSON.stringify(Object.fromEntries(newest)))
  }

  /** On the first visit everything that is already there counts as seen, then and later. */
  remember(conversation: Conversation) {
    if (this.#firstVisit && !this.#upTo.has(conversation.id)) this.look(conversation)
  }

  /** Another log: what was counted may not exist any more. */
  restart() {
    this.#unread.clear()
  }
}

/** Receipts, the person's own words and what an agent does on its way are nothing to call the person for; that it failed is. */
export function isNews({ body }: Entry): boolean {
  return body.kind === 'question' || body.kind === 'error' || (body.kind === 'message' && body.author === 'assistant')
}
