import { isRecord } from '../../../../src/protocol/text/record.ts'
import type { Goal } from '../conversation/timeline.svelte.ts'
import { newKey } from '../hub/key.ts'
import { besideIn, conversationIn, entryIn, hashOf, withBeside } from './route.ts'

/** An entry of the browser's history: where in its conversation the person was, or what lies over the page. */
interface Step {
  goal?: Goal
  layer?: string
}

interface PageHistoryParts {
  /** The person's place now. */
  place: () => Goal | undefined
  /** The address is another one, and so is the place in its conversation, if it is known. */
  follow: (goal: Goal | undefined) => void
}

interface Layer {
  id: string
  /** The hash of the page below it. */
  hash: string
  close: () => void
}

/**
 * The way that Back goes. What lies over the page is an entry of its own, which goes when it is closed in any other way;
 * a jump leaves the place it began at behind.
 */
class PageHistory {
  #parts: PageHistoryParts | undefined
  #layers: Layer[] = []
  /** An entry is being taken back; what is to come after it waits, because the browser takes its time. */
  #returning = false
  #waiting: (() => void)[] = []

  start(parts: PageHistoryParts): () => void {
    this.#parts = parts
    const arrive = () => this.#arrive()
    addEventListener('popstate', arrive)
    // Nothing lies over the page any longer after a reload.
    if (here().layer !== undefined) this.#goBack()
    return () => removeEventListener('popstate', arrive)
  }

  /**
   * Goes to an address, and to a place there that the address does not name. From a layer it leaves that behind; what is
   * beside stays.
   */
  visit(address: string, goal?: Goal) {
    this.#go((here) => withBeside(address, besideIn(here)), goal)
  }

  /** Another conversation is beside this one, or none. */
  putBeside(conversation: string | undefined) {
    this.#go((here) => withBeside(hashOf(conversationIn(here) ?? ''), conversation))
  }

  #go(addressFrom: (here: string) => string, goal?: Goal) {
    const place = this.#parts?.place()
    this.#next(() => {
      const hash = addressFrom(location.hash)
      const isSame = hash === location.hash && goal === undefined && entryIn(hash) === undefined
      if (this.#isOnLayer()) {
        this.#layers = []
        if (isSame) return this.#goBack()
        history.replaceState({ goal }, '', hash)
      } else if (!isSame) {
        this.#leave(place)
        history.pushState({ goal }, '', hash)
      }
      this.#parts?.follow(goal)
    })
  }

  /** Something lies over the page now; answers with what to call when it is gone. */
  open(close: () => void): () => void {
    const layer = { id: newKey(), hash: location.hash, close }
    const place = this.#parts?.place()
    this.#layers.push(layer)
    this.#next(() => {
      if (!this.#layers.includes(layer)) return
      if (!this.#isOnLayer()) this.#leave(place)
      history.pushState({ layer: layer.id }, '')
    })
    return () => {
      if (!this.#layers.includes(layer)) return
      this.#layers = this.#layers.filter((other) => other !== layer)
      this.#next(() => {
        if (here().layer === layer.id) this.#goBack()
      })
    }
  }

  /** The address names another place, and Back has nothing to do with it. */
  rename(hash: string) {
    const { layer } = here()
    history.replaceState(layer === undefined ? null : { layer }, '', withBeside(hash, besideIn(location.hash)))
  }

  #arrive() {
    if (this.#returning) return this.#returned()
    const { layer: shown, goal } = here()
    const covered = this.#layers.findIndex(({ id }) => id === shown) + 1
    const gone = this.#layers.splice(covered)
    for (const { close } of gone) close()
    // Forward to what was closed: it stays closed.
    if (shown !== undefined && covered === 0) return this.#goBack()
    if (gone.length === 0 || gone[0]?.hash !== location.hash) this.#parts?.follow(goal)
  }

  #isOnLayer(): boolean {
    const { layer } = here()
    return layer !== undefined && this.#layers.some(({ id }) => id === layer)
  }

  #leave(goal: Goal | undefined) {
    history.replaceState({ goal }, '')
  }

  #goBack() {
    this.#returning = true
    history.back()
  }

  #returned() {
    this.#returning = false
    while (!this.#returning) {
      const step = this.#waiting.shift()
      if (!step) return
      step()
    }
  }

  #next(step: () => void) {
    if (this.#returning) this.#waiting.push(step)
    else step()
  }
}

export const pageHistory = new PageHistory()

function here(): Step {
  return isRecord(history.state) ? history.state : {}
}
