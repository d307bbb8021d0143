/** What the first message does not need. It comes right after it, and so before anybody can want it. */
class Later {
  parts = $state.raw<typeof import('./later-parts.ts')>()

  /** The first message is drawn. */
  wanted = $state(false)

  async load() {
    if (this.parts) return
    try {
      this.parts = await import('./later-parts.ts')
    } catch (error) {
      // The hub has just gone; when it is back, this is tried again.
      if (!isUnreached(error)) throw error
    }
  }
}

/** What a browser says of a script that did not come, and the build of a style. */
function isUnreached(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.message.startsWith('Unable to preload CSS'))
}

export const later = new Later()
