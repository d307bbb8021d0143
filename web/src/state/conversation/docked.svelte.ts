import { untrack } from 'svelte'
import type { OpenQuestion } from '../../../../src/protocol/entries/fold.ts'
import type { Conversation } from './conversation.svelte.ts'
import { type Held, heldOf, type Tap, tapped } from './held.svelte.ts'
import type { Person } from './person.ts'
import { STILL_MS } from './still.ts'

interface Shown {
  question: OpenQuestion
  /** Those that are answered together, this one among them. */
  card: OpenQuestion[]
  /** The number of the card, and how many there are. */
  place: number
  count: number
}

/**
 * The card in the dock. A question that is over keeps its place for a moment, in which nothing there counts: the second
 * click on one spot would otherwise decide on whatever comes to it next.
 */
export class Docked {
  readonly #conversation: Conversation
  readonly #person: Person
  readonly #held: Held
  #last: Shown | undefined
  #over = $state.raw<Shown>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(conversation: Conversation, person: Person) {
    this.#conversation = conversation
    this.#person = person
    this.#held = heldOf(conversation, person)
    this.#held.onsent = () => this.#holdOn()
  }

  #next: Shown | undefined = $derived.by(() => {
    const { question, cards } = this.#conversation
    const at = question ? cards.findIndex((card) => card.includes(question)) : -1
    const card = cards[at]
    return question && card && { question, card, place: at + 1, count: cards.length }
  })

  shown: Shown | undefined = $derived(this.#over ?? this.#next)

  get still(): boolean {
    return this.#over !== undefined
  }

  /** The tapped answer that can be taken back. */
  get held(): string | undefined {
    return this.#held.words?.text
  }

  /** Only the beginning of it is here. */
  readWhole(question: string) {
    this.#person.readWhole(this.#conversation, question)
  }

  /** Called whenever something else would be shown. */
  follow() {
    const next = this.#next
    const { open } = this.#conversation.state
    untrack(() => {
      const { words } = this.#held
      // Somebody else was first, or the agent asks more and should not wait for both.
      if (words && !open.some(({ id }) => id === words.question)) {
        this.#held.takeBack()
        this.#holdOn()
      } else if (words && next) this.send()
      const last = this.#last
      this.#last = next
      if (last && !this.#conversation.open.some(({ id }) => id === last.question.id)) this.#hold(this.#over ?? last)
    })
  }

  /** Can be taken back where nothing else waits; otherwise the next question comes at once. */
  tap(asked: OpenQuestion, tap: Tap) {
    const words = tapped(this.#conversation, asked, tap)
    if (asked.multi_select || this.#conversation.open.length > 1) this.#person.tell(this.#conversation, words)
    else this.#held.tap(words)
  }

  takeBack() {
    this.#held.takeBack()
    clearTimeout(this.#timer)
    this.#over = undefined
  }

  /** A held answer goes at once. */
  send() {
    this.#held.send()
  }

  /** Whether a press counts. Who goes on pressing waits on. */
  press(): boolean {
    this.#holdOn()
    return !this.still
  }

  close() {
    if (!this.#held.stays) this.send()
    clearTimeout(this.#timer)
  }

  #holdOn() {
    if (this.#over) this.#hold(this.#over)
  }

  #hold(shown: Shown) {
    this.#over = shown
    clearTimeout(this.#timer)
    // An answer that can be taken back is shown until then.
    if (this.held === undefined) this.#timer = setTimeout(() => (this.#over = undefined), STILL_MS)
  }
}
