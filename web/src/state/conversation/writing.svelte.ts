import type { Draft, Target } from '../../../../src/protocol/frames/preferences.ts'
import type { Drafts } from '../list/drafts.ts'
import { isChosen, MESSAGE } from './target.ts'

/** A person who typed this lately is still at it. */
const TYPING_MS = 10_000
const NEVER = Number.NEGATIVE_INFINITY

/** The person's text in one conversation, and its target. */
export class Writing {
  #text = $state('')
  /** The target since it was begun or the person said so. */
  #aim = $state.raw<Target>()
  /** The time when it was written, here or elsewhere. */
  #at = 0
  /** The time when something of it was last typed here. */
  #typedAt = NEVER
  /** Since something was typed here, it was put before what is typed elsewhere. */
  #insisted = false
  readonly #conversation: string
  readonly #drafts: Drafts | undefined

  constructor(conversation: string, drafts?: Drafts) {
    this.#conversation = conversation
    this.#drafts = drafts
    const draft = drafts?.of(conversation)
    if (draft) this.#show(draft)
  }

  get text(): string {
    return this.#text
  }

  get aim(): Target | undefined {
    return this.#aim
  }

  /** A text that was begun keeps its target, whatever is asked meanwhile. */
  type(text: string, target: Target) {
    const before = this.#text
    this.#text = text
    this.#typedAt = Date.now()
    this.#insisted = false
    if (before === '' && text !== '') this.#aim = target
    else if (text === '' && !isChosen(this.#aim)) this.release()
    if (text !== '') this.#keep()
    else if (before !== '') this.#drafts?.drop(this.#conversation, this.#at)
  }

  aimAt(target: Target) {
    this.#aim = target
    if (this.#text !== '') this.#keep()
  }

  /** Nothing is written any more, so that the next words go wherever is meant then. */
  release() {
    this.#aim = undefined
  }

  /** Nobody types here for now. */
  pause() {
    this.#typedAt = NEVER
  }

  /** Another tab or device went on with it, or sent it. What is being typed here stays, unless it is what was sent. */
  hear(draft: Draft) {
    if (draft.at <= this.#at) return
    const isSent = draft.ends === this.#at
    const isBusy = this.#text === '' ? this.#aim !== undefined : Date.now() - this.#typedAt < TYPING_MS
    if (isSent || !isBusy) return this.#show(draft)
    // Two that are both typed in would answer each other for ever.
    if (this.#text === '' || (draft.text !== '' && this.#insisted)) return
    this.#insisted ||= draft.text !== ''
    // It is the newest again, for every device.
    this.#keep(draft.at)
  }

  #show({ text, target, at }: Draft) {
    this.#text = text
    this.#at = at
    this.#typedAt = NEVER
    this.#aim = text === '' ? undefined : target
  }

  #keep(after?: number) {
    this.#at = this.#drafts?.keep(this.#conversation, this.#text, this.#aim ?? MESSAGE, { after }).at ?? 0
  }
}
