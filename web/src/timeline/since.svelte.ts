import type { Conversation } from '../state/conversation/conversation.svelte.ts'
import type { Row } from '../state/rows/row.ts'

/**
 * The place where the person left off: a line in the timeline until they have seen it, and the way there while it is
 * out of sight.
 */
export class Since {
  readonly #conversation: Conversation
  #seen = $state(false)
  #leftAt: string | undefined

  constructor(conversation: Conversation, upTo: string | undefined) {
    this.#conversation = conversation
    this.#begin(upTo)
  }

  /** A person who looks away and back finds what came meanwhile marked. */
  turn(visibility: DocumentVisibilityState, rows: Row[]) {
    if (visibility === 'hidden') this.#leftAt = this.#conversation.state.last
    else if (this.#seen || !rows.some(({ fresh }) => fresh !== undefined)) this.#begin(this.#leftAt)
  }

  see() {
    this.#seen = true
  }

  /** The first new row, while the person has yet to see it. */
  place(rows: Row[]): { id: string; at: number } | undefined {
    if (this.#seen || this.#conversation.since === undefined) return undefined
    const line = rows.find(({ fresh }) => fresh !== undefined)
    if (line?.id !== undefined) return { id: line.id, at: line.fresh ?? line.at }
    const [first] = rows
    // It is on an older page.
    return first?.id !== undefined && first.id > this.#conversation.since
      ? { id: this.#conversation.since, at: first.at }
      : undefined
  }

  forget() {
    this.#conversation.since = undefined
  }

  #begin(upTo: string | undefined) {
    this.#conversation.since = upTo !== undefined && upTo < this.#conversation.state.last ? upTo : undefined
    this.#seen = false
  }
}
