import * as z from 'zod/mini'
import { Attachment } from '../../../src/protocol/attachment.ts'
import { EntryId } from '../../../src/protocol/entry.ts'
import { Name, Words } from '../../../src/protocol/text.ts'
import { keepIn } from './store.ts'

const STORED_AS = 'parley.unsent.'

/** To one of several questions that are answered at once. */
const Answer = z.object({
  question: EntryId,
  choices: z.optional(z.array(z.string())),
  text: z.optional(Words),
  attachments: z.optional(z.array(Attachment)),
})
export type Answer = z.infer<typeof Answer>

const Unsent = z.object({
  conversation: Name,
  key: Name,
  text: Words,
  attachments: z.optional(z.array(Attachment)),
  at: z.number(),
  question: z.optional(EntryId),
  about: z.optional(EntryId),
  /** Of options that were ticked, and what was written beside them. */
  choices: z.optional(z.array(z.string())),
  words: z.optional(Words),
  answers: z.optional(z.array(Answer)),
  tapped: z.optional(z.boolean()),
})
export type Unsent = z.infer<typeof Unsent>

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
    const found = names.map((name) => Unsent.safeParse(JSON.parse(this.#store.getItem(name) ?? 'null')).data)
    return found.filter((words) => words !== undefined).sort((a, b) => a.at - b.at)
  }
}
