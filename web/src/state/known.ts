import * as z from 'zod/mini'
import { Conversation } from '../../../src/protocol/fold.ts'
import { jsonIn } from '../../../src/protocol/json.ts'
import { keepIn } from './store.ts'

const STORED_AS = 'parley.known'
const KEPT = 40
const Kept = z.array(Conversation)

/** What the page knew of the newest conversations, for a visit without the hub: to see what there is, and to write. */
export class Known {
  readonly #store: Pick<Storage, 'getItem' | 'setItem'>

  constructor(store: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#store = store
  }

  all(): Conversation[] {
    return Kept.safeParse(jsonIn(this.#store.getItem(STORED_AS) ?? '')).data ?? []
  }

  keep(conversations: Conversation[]) {
    keepIn(this.#store, STORED_AS, JSON.stringify(conversations.slice(0, KEPT)))
  }
}
