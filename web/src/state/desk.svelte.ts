import { SvelteMap } from 'svelte/reactivity'
import {
  changed,
  type Mark,
  type MarkChange,
  type SavedReply,
  withoutReply,
  withReply,
} from '../../../src/protocol/desk.ts'

const NOTHING: Mark = Object.freeze({})

/** What the hub keeps for this person: marks of conversations, and replies to be used again. */
export class Desk {
  replies = $state.raw<SavedReply[]>([])
  readonly #marks = new SvelteMap<string, Mark>()

  of(conversation: string): Mark {
    return this.#marks.get(conversation) ?? NOTHING
  }

  change(conversation: string, change: MarkChange) {
    this.#marks.set(conversation, changed(this.of(conversation), change))
  }

  keepReply(name: string, text: string) {
    this.replies = withReply(this.replies, { name, text })
  }

  dropReply(name: string) {
    this.replies = withoutReply(this.replies, name)
  }
}
