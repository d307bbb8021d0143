import { reached } from './state/hub/reached.ts'

/** What the first message does not need. It comes right after it, and so before anybody can want it. */
class Later {
  parts = $state.raw<typeof import('./later-parts.ts')>()

  /** The first message is drawn. */
  wanted = $state(false)

  readonly loaded: Promise<void>
  #loaded = () => {}

  constructor() {
    this.loaded = new Promise((resolve) => {
      this.#loaded = resolve
    })
  }

  async load() {
    if (this.parts) return
    // This is tried again when the hub is back.
    this.parts = await reached(import('./later-parts.ts'))
    if (this.parts) this.#loaded()
  }
}

export const later = new Later()
