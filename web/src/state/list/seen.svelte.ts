import { SvelteMap } from 'svelte/reactivity'
import { BEFORE_ALL, type Entry } from '../../../../src/protocol/entries/entry.ts'
import type { ConversationState } from '../../../../src/protocol/entries/fold.ts'
import type { Preferences } from './preferences.svelte.ts'

/** More is not counted; "99+" says enough. */
const COUNTED = 100

/** The last entry that the person has looked at in each conversation, on whichever device, and what is new since. */
export class Seen {
  readonly #preferences: Preferences
  /** News by id, because what was missed comes in pages and live, in any order and twice. */
  readonly #news = new SvelteMap<string, ReadonlySet<string>>()

  constructor(preferences: Preferences) {
    this.#preferences = preferences
  }

  /** How much is new, as far as it is known and worth counting. */
  unread(conversation: string): number {
    return this.#unreadIn(conversation).length
  }

  /** Undefined when the person has never looked at it. */
  upTo(conversation: string): string | undefined {
    const { since } = this.#preferences
    return this.#preferences.of(conversation).read ?? (since === BEFORE_ALL ? undefined : since)
  }

  isFull(conversation: string): boolean {
    return this.unread(conversation) >= COUNTED
  }

  /** The entry after which there may be news. */
  since({ id, last }: ConversationState): string | undefined {
    const upTo = this.upTo(id) ?? BEFORE_ALL
    return upTo < last ? upTo : undefined
  }

  note(conversation: string, entries: Entry[]) {
    const upTo = this.upTo(conversation) ?? BEFORE_ALL
    const news = entries.filter((entry) => entry.id > upTo && isNews(entry)).map(({ id }) => id)
    if (news.length === 0 || this.isFull(conversation)) return
    this.#news.set(conversation, new Set([...this.#unreadIn(conversation), ...news]))
  }

  look({ id, last }: Pick<ConversationState, 'id' | 'last'>) {
    this.#news.delete(id)
    if ((this.upTo(id) ?? BEFORE_ALL) < last) this.#preferences.change(id, { read: last })
  }

  forget(conversation: string) {
    this.#news.delete(conversation)
  }

  /** Another log: what was counted may not exist any more. */
  restart() {
    this.#news.clear()
  }

  /** Entries that another device read are read. */
  #unreadIn(conversation: string): string[] {
    const upTo = this.upTo(conversation) ?? BEFORE_ALL
    return [...(this.#news.get(conversation) ?? [])].filter((id) => id > upTo)
  }
}

/** Receipts, the person's own words and what an agent does on its way are nothing to call the person for; that it failed is. */
export function isNews({ body }: Entry): boolean {
  return body.kind === 'question' || body.kind === 'error' || (body.kind === 'message' && body.author === 'assistant')
}
