import { untrack } from 'svelte'
import type { OpenQuestion } from '../../../src/protocol/fold.ts'
import type { Talk } from './talk.svelte.ts'

/** Longer than the pause between two clicks of one who clicks twice. */
export const STILL_MS = 600

interface Shown {
  question: OpenQuestion
  /** Which of how many. */
  place: number
  count: number
}

/**
 * What the dock shows. A question that is over keeps its place for a moment, in which nothing there counts: the second
 * click on one spot would otherwise decide on whatever comes to it next.
 */
export class Docked {
  readonly #talk: Talk
  #last: Shown | undefined
  #over = $state.raw<Shown>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(talk: Talk) {
    this.#talk = talk
  }

  #next: Shown | undefined = $derived.by(() => {
    const { question, open } = this.#talk
    return question && { question, place: open.indexOf(question) + 1, count: open.length }
  })

  shown: Shown | undefined = $derived(this.#over ?? this.#next)

  get still(): boolean {
    return this.#over !== undefined
  }

  /** Whenever something else would be shown. */
  follow() {
    const next = this.#next
    untrack(() => {
      const last = this.#last
      this.#last = next
      if (last && !this.#talk.open.some(({ id }) => id === last.question.id)) this.#hold(this.#over ?? last)
    })
  }

  /** Whether a press counts. Who goes on pressing waits on. */
  press(): boolean {
    if (this.#over) this.#hold(this.#over)
    return !this.still
  }

  close() {
    clearTimeout(this.#timer)
  }

  #hold(shown: Shown) {
    this.#over = shown
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => (this.#over = undefined), STILL_MS)
  }
}
