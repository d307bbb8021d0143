import { MediaQuery } from 'svelte/reactivity'
import type { Timeline } from '../../state/conversation/timeline.svelte.ts'

/** The dock on a phone is one line for someone who reads further up, until they open it or come back to the end. */
export class Folding {
  readonly #narrow = new MediaQuery('width < 35rem')
  readonly #timeline: Timeline
  #opened = $state(false)

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  folds: boolean = $derived.by(() => this.#narrow.current && this.#timeline.far && !this.#opened)

  open() {
    this.#opened = true
  }

  /** Called whenever they go and come. */
  follow() {
    if (!this.#timeline.far) this.#opened = false
  }
}
