import { reached } from './state/hub/reached.ts'

/** The parts that the first message does not need. They come right after it, and so before anybody can want them. */
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
