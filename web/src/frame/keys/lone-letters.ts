/** How long a letter that only leads somewhere waits for the next one of its word; one that decides waits longer. */
const LEADS_MS = 300
export const DECIDES_MS = 600

type Press = Pick<KeyboardEvent, 'key'>

interface Waiting {
  letters: string
  act?: () => void
  waitMs: number
}

/**
 * A letter is a command only where it stands alone. One that another follows belongs to a word, which is written where
 * people write, whatever has the focus.
 */
export class LoneLetters {
  /** Takes the beginning of a word; what is being pressed comes after it by itself. */
  write: (letters: string) => void = () => {}
  #press: Press | undefined
  #waiting: Waiting | undefined
  /** Where nobody can write, a word has an end all the same. */
  #inWord = false
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Whether what comes now may be a word. */
  get isPending(): boolean {
    return this.#waiting !== undefined
  }

  /** Several may look at one press; it is for the first that means something by it. */
  press(press: Press, act?: () => void, waitMs = LEADS_MS) {
    if (press !== this.#press) this.#take(press)
    this.#press = press
    const waiting = this.#waiting
    if (!waiting || waiting.act) return
    if (act) Object.assign(waiting, { act, waitMs })
    this.#wait(waiting.waitMs)
  }

  /** A blank or another sign: what came just before it was a word of one letter. */
  goOn() {
    const { letters } = this.#waiting ?? {}
    if (letters === undefined) return
    this.#waiting = undefined
    this.#inWord = true
    this.#wait(DECIDES_MS)
    this.write(letters)
  }

  /** What was pressed means nothing any more. */
  drop() {
    clearTimeout(this.#timer)
    this.#waiting = undefined
    this.#inWord = false
  }

  #take({ key }: Press) {
    if (this.#inWord) return this.#wait(DECIDES_MS)
    const { letters = '', act, waitMs = LEADS_MS } = this.#waiting ?? {}
    const isAgain = act !== undefined && letters.endsWith(key)
    if (letters !== '' && !isAgain) return this.goOn()
    // Twice the same way leads twice as far, and decides once.
    const leads = waitMs === LEADS_MS
    if (leads) act?.()
    this.#waiting = { letters: leads ? key : letters + key, waitMs: LEADS_MS }
  }

  #wait(ms: number) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const { act } = this.#waiting ?? {}
      this.drop()
      act?.()
    }, ms)
  }
}

/** Shared by all parts of the page. */
export const loneLetters = new LoneLetters()
