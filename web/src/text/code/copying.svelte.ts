/** The time it takes to see it. */
export const COPIED_MS = 1500

/** Something to copy; `done` for a moment after it was. */
export class Copying {
  done = $state(false)

  async copy(text: string) {
    await navigator.clipboard.writeText(text)
    this.done = true
    setTimeout(() => (this.done = false), COPIED_MS)
  }
}
