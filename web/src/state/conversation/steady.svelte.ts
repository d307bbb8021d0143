import { STILL_MS } from './still.ts'

export const TOO_SOON = 'Too soon to allow it: look at it first.'
/** Long enough to be read. */
const TOLD_MS = 4000
/** Less is no jump. */
const NEARLY_PX = 3

/** The edges of what is decided on. */
export type Position = number[]

/** Whether what is decided on has stood still in view for long enough. Who presses before that is told, and nothing else happens. */
export class Steady {
  live = $state(false)
  /** How often it began to stand. */
  begun = $state(0)
  /** The hint for a person who pressed too soon. */
  told = $state('')
  #place: Position | undefined
  #woke = Number.POSITIVE_INFINITY
  #waking: ReturnType<typeof setTimeout> | undefined
  #telling: ReturnType<typeof setTimeout> | undefined
  #look = () => {}

  /** `look` finds out where it is, also in the moment of a press. */
  watch(look: () => void): () => void {
    this.#look = look
    return () => {
      this.#look = () => {}
      this.see(undefined)
      clearTimeout(this.#telling)
    }
  }

  /** Takes its position; undefined while nobody can see it. Answers whether it moved. */
  see(place: Position | undefined): boolean {
    if (isNear(this.#place, place)) return false
    this.#place = place
    this.#begin()
    return true
  }

  /** It says something else, or something was in front of it. */
  restart() {
    this.#look()
    this.#begin()
  }

  /** Whether a press counts. It may have waited for a busy page: what counts is when it was made. */
  press(at: number): boolean {
    this.#look()
    if (this.live && at >= this.#woke) return true
    this.tell()
    return false
  }

  tell() {
    this.told = TOO_SOON
    clearTimeout(this.#telling)
    this.#telling = setTimeout(() => (this.told = ''), TOLD_MS)
  }

  #begin() {
    clearTimeout(this.#waking)
    this.#waking = undefined
    this.live = false
    this.#woke = Number.POSITIVE_INFINITY
    if (!this.#place) return
    this.begun++
    const waking = setTimeout(() => {
      // Something may have come in front of it without telling.
      this.#look()
      if (this.#waking !== waking) return
      this.live = true
      this.#woke = performance.now()
    }, STILL_MS)
    this.#waking = waking
  }
}

function isNear(one: Position | undefined, other: Position | undefined): boolean {
  if (!one || !other || one.length !== other.length) return one === other
  return one.every((edge, n) => Math.abs(edge - (other[n] ?? 0)) <= NEARLY_PX)
}
