import { type ConversationState, emptyConversation } from '../../../../src/protocol/entries/fold.ts'
import { jsonIn } from '../../../../src/protocol/text/json.ts'
import { isRecord } from '../../../../src/protocol/text/record.ts'
import { keepIn } from './store.ts'

const STORED_AS = 'parley.known'
const KEPT = 40

/** The newest conversations as the page knew them, for a visit without the hub: to see what there is, and to write. */
export class Known {
  readonly #store: Pick<Storage, 'getItem' | 'setItem'>

  constructor(store: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#store = store
  }

  all(): ConversationState[] {
    const kept = jsonIn(this.#store.getItem(STORED_AS) ?? '')
    return Array.isArray(kept) ? kept.filter(isConversation) : []
  }

  keep(conversations: ConversationState[]) {
    keepIn(this.#store, STORED_AS, JSON.stringify(conversations.slice(0, KEPT)))
  }
}

/** Any version of this page may have kept it. */
function isConversation(kept: unknown): kept is ConversationState {
  const needed = emptyConversation('')
  return isRecord(kept) && Object.entries(needed).every(([name, value]) => typeof kept[name] === typeof value)
}
