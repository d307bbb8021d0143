import { Target } from '../../../src/protocol/desk.ts'
import { jsonIn } from '../../../src/protocol/json.ts'
import { keepIn } from './store.ts'

const STORED_AS = 'parley.draft.'
const TARGET_STORED_AS = 'parley.draft-target.'

export type DraftStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * What the person is writing, for each conversation, and where it goes. Each is stored by itself, so that two tabs do not
 * undo each other.
 */
export class Drafts {
  readonly #store: DraftStore

  constructor(store: DraftStore) {
    this.#store = store
  }

  of(conversation: string): string {
    return this.#store.getItem(STORED_AS + conversation) ?? ''
  }

  targetOf(conversation: string): Target | undefined {
    return Target.safeParse(jsonIn(this.#store.getItem(TARGET_STORED_AS + conversation) ?? '')).data
  }

  keep(conversation: string, text: string, target: Target) {
    // Before the text, which other tabs hear of.
    keepIn(this.#store, TARGET_STORED_AS + conversation, JSON.stringify(target))
    keepIn(this.#store, STORED_AS + conversation, text)
  }

  /** It was sent or erased; what another tab wrote in its place stays. */
  drop(conversation: string, text: string) {
    if (this.of(conversation) !== text) return
    this.#store.removeItem(TARGET_STORED_AS + conversation)
    this.#store.removeItem(STORED_AS + conversation)
  }
}

/** What another tab did to a draft, if that is what was stored. */
export function draftIn({ key, oldValue, newValue }: Pick<StorageEvent, 'key' | 'oldValue' | 'newValue'>) {
  if (!key?.startsWith(STORED_AS)) return undefined
  return { conversation: key.slice(STORED_AS.length), before: oldValue ?? '', now: newValue ?? '' }
}
