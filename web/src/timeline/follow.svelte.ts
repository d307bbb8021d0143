import type { Row } from '../state/rows.ts'

/** This close to the end the person is reading the end. */
const NEAR_PX = 48
/** So long after a wheel, a finger or a key, what scrolls is the person and not the layout. */
const HANDS_ON_MS = 500

/** Keeps the end in view for whoever is at the end, and leaves everyone else alone. */
export class Follow {
  following = $state(true)
  #leftAt = $state('')
  #handsOnUntil = 0
  #top = 0
  #height = 0

  /** Watches the hands of the person and the height of the rows, and says when to settle. */
  watch(scroller: HTMLElement, settle: () => void): () => void {
    for (const gesture of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
      scroller.addEventListener(gesture, () => this.#touch(), { passive: true })
    }
    // Not every browser lets a keyboard reach what scrolls.
    scroller.tabIndex = 0
    // The virtual list reports new sizes before they are laid out; only the observer sees the true height.
    const observer = new ResizeObserver(settle)
    for (const element of [scroller, ...scroller.children]) observer.observe(element)
    return () => observer.disconnect()
  }

  /** Rows that are measured for the first time move the scroller too, and that must not count as leaving. */
  scrolled({ scrollTop, scrollHeight, clientHeight }: HTMLElement, last: string) {
    const byHand = performance.now() < this.#handsOnUntil
    if (byHand) this.#touch()
    const wentUp = scrollTop < this.#top && scrollHeight === this.#height
    this.#top = scrollTop
    this.#height = scrollHeight
    if (scrollHeight - scrollTop - clientHeight < NEAR_PX) this.following = true
    else if (this.following && (byHand || wentUp)) this.leave(last)
  }

  leave(last: string) {
    this.following = false
    this.#leftAt = last
  }

  pin(scroller: HTMLElement) {
    if (this.following) scroller.scrollTop = scroller.scrollHeight
  }

  missed(rows: Row[]): number {
    if (this.following) return 0
    const seen = rows.findLastIndex(({ id = '' }) => id !== '' && id <= this.#leftAt)
    return rows.slice(seen + 1).filter(({ kind }) => kind === 'bubble' || kind === 'approval').length
  }

  #touch() {
    this.#handsOnUntil = performance.now() + HANDS_ON_MS
  }
}
