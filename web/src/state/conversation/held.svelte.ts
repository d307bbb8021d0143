import { inWordsOf } from '../../../../src/protocol/entries/choice.ts'
import type { OpenQuestion } from '../../../../src/protocol/entries/fold.ts'
import { newKey } from '../hub/key.ts'
import type { Unsent } from '../hub/outbox.ts'
import { inOrder, type Person } from './person.ts'
import type { Talk } from './talk.svelte.ts'

/** So long a tap can be taken back. */
export const TAKE_BACK_MS = 5000

/** An answer by one tap: it is on screen, and goes to the hub only a little later. */
export class Held {
  readonly #talk: Talk
  readonly #person: Person
  readonly #sent: () => void
  words = $state.raw<Unsent>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(talk: Talk, person: Person, sent: () => void) {
    this.#talk = talk
    this.#person = person
    this.#sent = sent
  }

  tap(words: Unsent) {
    this.words = words
    this.#talk.say(words)
    this.#timer = setTimeout(() => this.send(), TAKE_BACK_MS)
  }

  /** At once, for whoever goes on or goes away. */
  send() {
    const words = this.#end()
    if (!words) return
    this.#person.pass(words)
    this.#sent()
  }

  takeBack() {
    const words = this.#end()
    if (words) this.#talk.unsay(words.key)
  }

  #end(): Unsent | undefined {
    const { words } = this
    clearTimeout(this.#timer)
    this.words = undefined
    return words
  }
}

/** On an option, on several with their button, or on a reply that was offered. */
export type Tap = { choices: string[] } | { text: string }

export function tapped(talk: Talk, asked: OpenQuestion, tap: Tap): Unsent {
  const common = { conversation: talk.id, key: newKey(), at: Date.now(), question: asked.id, tapped: true }
  if ('text' in tap) return { ...common, ...tap }
  const choices = inOrder(asked, tap.choices)
  return { ...common, text: inWordsOf(choices), choices }
}
