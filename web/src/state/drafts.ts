import { jsonIn } from '../../../src/protocol/json.ts'
import { keepIn } from './store.ts'
import { Target } from './target.ts'

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

  keep(conversation: string, text: string, target?: Target) {
    this.#put(STORED_AS + conversation, text)
    this.#put(TARGET_STORED_AS + conversation, text === '' || !target ? '' : JSON.stringify(target))
  }

  #put(name: string, text: string) {
    if (text === '') this.#store.removeItem(name)
    else keepIn(this.#store, name, text)
  }
}
