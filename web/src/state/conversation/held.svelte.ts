import { inWordsOf } from '../../../../src/protocol/entries/exchange.ts'
import type { OpenQuestion } from '../../../../src/protocol/entries/fold.ts'
import { newKey } from '../hub/key.ts'
import type { Unsent } from '../hub/outbox.ts'
import type { Conversation } from './conversation.svelte.ts'
import { inOrder, type Person } from './person.ts'

/** The time in which a tap can be taken back. */
export const TAKE_BACK_MS = 5000

/** An answer by one tap: it is on screen, and goes to the hub only a little later. */
export class Held {
  readonly #conversation: Conversation
  readonly #person: Person
  /** It goes on to wait when the person leaves its conversation. */
  stays = false
  onsent = () => {}
  words = $state.raw<Unsent>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(conversation: Conversation, person: Person) {
    this.#conversation = conversation
    this.#person = person
  }

  tap(words: Unsent) {
    this.words = words
    this.#conversation.say(words)
    this.#timer = setTimeout(() => this.send(), TAKE_BACK_MS)
  }

  /** Sends at once, for a person who goes on or goes away. */
  send() {
    const words = this.#end()
    if (!words) return
    this.#person.pass(words)
    this.onsent()
  }

  takeBack() {
    const words = this.#end()
    if (words) this.#conversation.unsay(words.key)
  }

  #end(): Unsent | undefined {
    const { words } = this
    clearTimeout(this.#timer)
    this.words = undefined
    this.stays = false
    return words
  }
}

const all = new WeakMap<Conversation, Held>()

/** That of a conversation, which may outlive the composer that it was tapped in. */
export function heldOf(conversation: Conversation, person: Person): Held {
  const held = all.get(conversation) ?? new Held(conversation, person)
  all.set(conversation, held)
  return held
}

/** A tap on an option, on several with their button, or on a reply that was offered. */
export type Tap = { choices: string[] } | { text: string }

export function tapped(conversation: Conversation, asked: OpenQuestion, tap: Tap): Unsent {
  const common = { conversation: conversation.id, key: newKey(), at: Date.now(), question: asked.id, tapped: true }
  if ('text' in tap) return { ...common, ...tap }
  const choices = inOrder(asked, tap.choices)
  return { ...common, text: inWordsOf(choices), choices }
}
