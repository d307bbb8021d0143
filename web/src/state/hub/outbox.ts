import type { Attachment } from '../../../../src/protocol/entries/attachment.ts'
import { jsonIn } from '../../../../src/protocol/text/json.ts'
import { isRecord } from '../../../../src/protocol/text/record.ts'
import { keepIn } from './store.ts'

const STORED_AS = 'parley.unsent.'

/** An answer to one of several questions that are answered at once. */
export interface Answer {
  question: string
  choices?: string[]
  text?: string
  attachments?: Attachment[]
}

export interface Unsent {
  conversation: string
  key: string
  text: string
  attachments?: Attachment[]
  at: number
  question?: string
  /** The message that it is about. */
  about?: string
  /** The options that were ticked, and what was written beside them. */
  choices?: string[]
  words?: string
  answers?: Answer[]
  tapped?: boolean
}

/**
 * Words without an answer of the hub, over a reload. Whichever page finds them sends them with their key, so they are
 * said once however often they are sent. A stop or a verdict is not kept: a day later it would be a surprise.
 */
export class Outbox {
  readonly #store: Storage

  constructor(store: Storage) {
    this.#store = store
  }

  keep(words: Unsent) {
    keepIn(this.#store, STORED_AS + words.key, JSON.stringify(words))
  }

  drop(key: string) {
    this.#store.removeItem(STORED_AS + key)
  }

  forget(conversation: string) {
    for (const words of this.all()) if (words.conversation === conversation) this.drop(words.key)
  }

  /** Oldest first. */
  all(): Unsent[] {
    const names = Object.keys(this.#store).filter((name) => name.startsWith(STORED_AS))
    const found = names.map((name) => jsonIn(this.#store.getItem(name) ?? ''))
    return found.filter(isUnsent).sort((a, b) => a.at - b.at)
  }
}

/** Any version of this page may have kept it; the hub refuses what else is wrong in it. */
function isUnsent(kept: unknown): kept is Unsent {
  if (!isRecord(kept)) return false
  const { conversation, key, text, at } = kept
  return [conversation, key, text].every((value) => typeof value === 'string') && typeof at === 'number'
}
