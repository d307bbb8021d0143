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
    if (text === '') return this.#store.removeItem(STORED_AS + conversation)
    try {
      this.#store.setItem(STORED_AS + conversation, text)
    } catch (error) {
      // A browser keeps about 5 MB. What it has no room for is still in the field, only not over a reload.
      if (!(error instanceof DOMException && error.name === 'QuotaExceededError')) throw error
    }
  }
}
