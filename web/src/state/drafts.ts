import { keepIn } from './store.ts'

const STORED_AS = 'parley.draft.'

export type DraftStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** What the person is writing, for each conversation. Each is stored by itself, so that two tabs do not undo each other. */
export class Drafts {
  readonly #store: DraftStore

  constructor(store: DraftStore) {
    this.#store = store
  }

  of(conversation: string): string {
    return this.#store.getItem(STORED_AS + conversation) ?? ''
  }

  keep(conversation: string, text: string) {
    if (text === '') this.#store.removeItem(STORED_AS + conversation)
    else keepIn(this.#store, STORED_AS + conversation, text)
  }
}
