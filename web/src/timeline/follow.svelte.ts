import type { Timeline } from '../state/conversation/timeline.svelte.ts'

/** This close to the end the person is reading the end. */
const NEAR_PX = 48
/** This much of the page away from the end, the person reads further up: more than the dock could give back by folding. */
const FAR = 0.6
/** The person scrolls, and not the layout, for this long after a wheel, a finger or a key. */
const HANDS_ON_MS = 500
/** Growth comes from what was opened for this long after a click; a megabyte takes its time to be laid out. */
const OPENING_MS = 2000
/** A new row is being measured for this long. */
const LAYING_OUT_MS = 1000

/** Keeps the end in view for whoever is at the end, and leaves everyone else alone. */
export class Follow {
  readonly #timeline: Timeline
  #handsOnUntil = 0
  #openingUntil = 0
  #top = 0
  #height = 0
  #newest: string | undefined
  #newestUntil = 0

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  /** Watches the hands of the person and the height of the rows, and says when to settle. */
  watch(scroller: HTMLElement, settle: () => void): () => void {
    for (const gesture of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
      scroller.addEventListener(gesture, () => this.#touch(), { passive: true })
    }
    scroller.addEventListener('click', ({ target }) => this.#press(target))
    // Some browsers do not let a keyboard reach what scrolls.
    scroller.tabIndex = 0
    // The virtual list reports new sizes before they are laid out; only the observer sees the true height.
    const observer = new ResizeObserver(settle)
    for (const element of [scroller, ...scroller.children]) observer.observe(element)
    return () => observer.disconnect()
  }

  /** Rows that are measured for the first time move the scroller too, and that must not count as leaving. */
  scrolled({ scrollTop, scrollHeight, clientHeight }: HTMLElement) {
    const byHand = performance.now() < this.#handsOnUntil
    if (byHand) this.#touch()
    const wentUp = scrollTop < this.#top && scrollHeight === this.#height
    this.#top = scrollTop
    this.#height = scrollHeight
    const below = scrollHeight - scrollTop - clientHeight
    const isNear = below < NEAR_PX
    if (byHand && below > innerHeight * FAR) this.#timeline.far = true
    if (isNear && !this.#timeline.hasNewer) this.#timeline.stay()
    else if (this.#timeline.following && (byHand || wentUp)) this.#timeline.leave()
  }

  /** The next scroll was asked for, and is not the person's hand. */
  letGo() {
    this.#handsOnUntil = this.#openingUntil = 0
  }

  /** The row that came last, so that it can be read from its beginning when it is longer than what is seen. */
  expect(newest: string | undefined, isMessage: boolean) {
    if (newest === this.#newest) return
    const isFirst = this.#newest === undefined
    this.#newest = newest
    this.#newestUntil = isFirst || !isMessage ? 0 : performance.now() + LAYING_OUT_MS
  }

  /** Whether it is, and so to be shown from there; once for each. */
  leavesAtBeginning(scroller: HTMLElement): boolean {
    if (performance.now() >= this.#newestUntil || !this.#timeline.following || this.#timeline.hasNewer) return false
    const row = scroller.querySelector('.rows > ul > li:last-child')
    if (!row || row.getBoundingClientRect().height <= scroller.clientHeight) return false
    this.#newestUntil = 0
    this.#timeline.leave()
    this.letGo()
    return true
  }

  pin(scroller: HTMLElement) {
    // What was opened is closed again.
    if (performance.now() < this.#openingUntil && scroller.scrollHeight <= scroller.clientHeight) this.#timeline.stay()
    if (!this.#timeline.following || this.#timeline.hasNewer) return
    const { scrollHeight, scrollTop, clientHeight } = scroller
    // A person who opens something wants to read it, not to be taken to its end.
    if (performance.now() >= this.#openingUntil) scroller.scrollTop = scrollHeight
    else if (scrollHeight - scrollTop - clientHeight >= NEAR_PX) this.#timeline.leave()
  }

  #press(target: EventTarget | null) {
    if (target instanceof Element && target.closest('button, summary')) {
      this.#openingUntil = performance.now() + OPENING_MS
    }
  }

  #touch() {
    this.#handsOnUntil = performance.now() + HANDS_ON_MS
  }
}
