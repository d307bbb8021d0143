import { SvelteMap } from 'svelte/reactivity'
import type { Memory } from '../text/markdown/memory.ts'

/**
 * The parts that the person opened in a timeline, by the keys of its rows: a row that scrolls away and back is as they
 * left it.
 */
export class Opened implements Memory {
  readonly #names = new SvelteMap<string, true>()

  has(name: string): boolean {
    return this.#names.has(name)
  }

  put(name: string, on: boolean) {
    if (on) this.#names.set(name, true)
    else this.#names.delete(name)
  }
}
