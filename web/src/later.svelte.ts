import { whenIdle } from './text/idle.ts'

/** What the first message does not need. It comes right after it, and so before anybody can want it. */
class Later {
  parts = $state.raw<typeof import('./later-parts.ts')>()

  loadSoon() {
    if (!this.parts) whenIdle(() => this.#load())
  }

  async #load() {
    try {
      this.parts = await import('./later-parts.ts')
    } catch (error) {
      // The hub has just gone; when it is back, this is tried again.
      console.warn(error)
    }
  }
}

export const later = new Later()
