import { DRAFT_LIMIT_BYTES } from '../../../../src/protocol/frames/marks.ts'
import type { Draft, Target } from '../../../../src/protocol/frames/preferences.ts'
import { jsonIn } from '../../../../src/protocol/text/json.ts'
import { isRecord } from '../../../../src/protocol/text/record.ts'
import { fits } from '../../../../src/protocol/text/text.ts'
import { MESSAGE } from '../conversation/target.ts'
import { keepIn } from '../hub/store.ts'
import type { Preferences } from './preferences.svelte.ts'

const STORED_AS = 'parley.draft.'

export type DraftStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

interface Before {
  /** The time of the newest known one. */
  after: number
  /** The time at which the text that was sent or erased had been written. */
  ends: number
}

/**
 * The person's drafts, for each conversation, and their targets. The hub keeps them for every device; the browser's own
 * copy is there at once, for its other tabs too, and until the hub can be told. Of two, the newer one counts.
 */
export class Drafts {
  readonly #store: DraftStore
  readonly #preferences: Preferences

  constructor(store: DraftStore, preferences: Preferences) {
    this.#store = store
    this.#preferences = preferences
  }

  of(conversation: string): Draft | undefined {
    return newer(draftOf(this.#store.getItem(STORED_AS + conversation)), this.#preferences.of(conversation).draft)
  }

  keep(conversation: string, text: string, target: Target, { after = 0, ends }: Partial<Before> = {}): Draft {
    // The time is later than that of the draft it continues, whatever the clocks of two devices say.
    const at = Math.max(Date.now(), after + 1, (this.of(conversation)?.at ?? 0) + 1)
    const draft = { text, target, at, ends }
    keepIn(this.#store, STORED_AS + conversation, JSON.stringify(draft))
    this.#tell(conversation, draft)
    return draft
  }

  /** It was sent or erased; what was written elsewhere in its place stays. */
  drop(conversation: string, at: number) {
    if (this.of(conversation)?.at === at) this.keep(conversation, '', MESSAGE, { ends: at })
  }

  /** The hub has this one. */
  meet(conversation: string, draft: Draft | undefined) {
    const own = draftOf(this.#store.getItem(STORED_AS + conversation))
    if (own && own.at > (draft?.at ?? 0)) return this.#tell(conversation, own)
    if (draft?.text) keepIn(this.#store, STORED_AS + conversation, JSON.stringify(draft))
    else if (own) this.#store.removeItem(STORED_AS + conversation)
  }

  forget(conversation: string) {
    this.#store.removeItem(STORED_AS + conversation)
  }

  #tell(conversation: string, draft: Draft) {
    const isKnown = this.#preferences.of(conversation).draft?.at === draft.at
    // A longer one stays in this browser until it is sent.
    if (!isKnown && fits(draft.text, DRAFT_LIMIT_BYTES)) this.#preferences.change(conversation, { draft })
  }
}

/** Another tab's change of a draft, if that is what was stored. */
export function draftIn({ key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>) {
  const now = draftOf(newValue)
  if (!key?.startsWith(STORED_AS) || !now) return undefined
  return { conversation: key.slice(STORED_AS.length), now }
}

function draftOf(stored: string | null): Draft | undefined {
  const draft = jsonIn(stored ?? '')
  const isDraft = isRecord(draft) && typeof draft.text === 'string' && typeof draft.at === 'number'
  return isDraft && isRecord(draft.target) ? (draft as Draft) : undefined
}

function newer(one: Draft | undefined, other: Draft | undefined): Draft | undefined {
  return (one?.at ?? -1) > (other?.at ?? -1) ? one : other
}
