import { ownScript } from '../code/own-script.ts'
import { GrowingParts } from './growing-parts.ts'
import type { Given } from './long.ts'
import { piecesOfReading } from './long-reading.ts'
import type { Made } from './reading-worker.ts'
import script from './reading-worker.ts?worker&url'

const address = ownScript('parley-changes', script)

/** The input of a call, made beside the page and brought into it piece by piece, one with each frame. */
export class Making {
  /** Set from the first piece on. */
  parts = $state.raw<GrowingParts>()
  /** How many lines are there. */
  count = $state(0)
  whole = $state(false)
  #worker: Worker | undefined
  #next: () => Made | undefined
  #frame: number | undefined

  constructor(given: Given) {
    const come: Made[] = []
    this.#next = () => come.shift()
    const worker = new Worker(address, { type: 'module' })
    this.#worker = worker
    worker.onmessage = ({ data }: MessageEvent<Made>) => {
      come.push(data)
      this.#want()
    }
    // It could not be had: then the page does it, as slowly as that is.
    worker.onerror = () => {
      this.stop()
      const pieces = piecesOfReading(given)
      this.#next = () => pieces.next().value ?? 'made'
      this.#want()
    }
    worker.postMessage(given)
  }

  stop() {
    this.#worker?.terminate()
    this.#worker = undefined
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#frame = undefined
  }

  #want() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      const made = this.#next()
      if (made === undefined) return
      this.#take(made)
      if (!this.whole) this.#want()
    })
  }

  #take(made: Made) {
    if (made === 'made') {
      this.stop()
      this.parts?.end()
      this.whole = true
    } else if ('outline' in made) {
      const parts = new GrowingParts()
      parts.take(made)
      this.parts = parts
      this.count = 0
    } else {
      this.parts?.take(made)
      this.count += made.lines.length
    }
  }
}
