import { createSubscriber } from 'svelte/reactivity'

const TICK_MS = 20_000

/** The time, for what is drawn relative to it; it only ticks while something draws it. */
export class Clock {
  readonly #subscribe: () => void

  constructor(tickMs = TICK_MS) {
    this.#subscribe = createSubscriber((update) => {
      const timer = setInterval(update, tickMs)
      return () => clearInterval(timer)
    })
  }

  get now(): number {
    this.#subscribe()
    return Date.now()
  }
}
