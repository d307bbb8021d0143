import type { OpenQuestion } from '../../../src/protocol/entries/fold.ts'
import { Attempt } from '../state/conversation/attempt.svelte.ts'
import type { Conversation } from '../state/conversation/conversation.svelte.ts'
import { type Held, heldOf } from '../state/conversation/held.svelte.ts'
import type { Goal } from '../state/conversation/timeline.svelte.ts'
import type { Hub } from '../state/hub/hub.svelte.ts'
import type { Verdict } from '../state/rows/records.ts'

/** How much of what was said before a question is above it. */
const CONTEXT_PX = 140

/** Everyone who needs the person, one after the other. Who comes meanwhile, or is skipped, is at the end. */
export class Triage {
  readonly #hub: Hub
  readonly #from: { conversation: string | undefined; place: Goal }
  #queue = $state.raw<string[]>([])
  /** The conversation that is to be answered. */
  current = $state<string>()
  #call = $state.raw<OpenQuestion>()
  /** What the person began with the call. */
  attempt = $state.raw(new Attempt())
  #isSent = false
  answered = $state(0)
  /** Another conversation was opened. */
  #isAway = false
  #kept = $state.raw<Held[]>([])

  constructor(hub: Hub) {
    this.#hub = hub
    this.#from = { conversation: hub.shownId, place: hub.shown?.timeline.place ?? 'end' }
    this.follow()
    this.next()
  }

  get conversation(): Conversation | undefined {
    return this.current === undefined ? undefined : this.#hub.roster.get(this.current)
  }

  /** The number of those that wait besides the current one. */
  get left(): number {
    return this.#queue.filter((id) => id !== this.current).length
  }

  get count(): number {
    return this.answered + (this.current === undefined ? 0 : 1) + this.left
  }

  /** The current one has what it asked for. */
  get isOver(): boolean {
    return this.current !== undefined && !this.#queue.includes(this.current)
  }

  /** The call that is decided over the page, without its conversation being opened. */
  get call(): OpenQuestion | undefined {
    return this.#open ?? this.#call
  }

  /** The same as it is known by now, until it has its verdict. */
  get #open(): OpenQuestion | undefined {
    return this.#call && this.conversation?.open.find(({ id }) => id === this.#call?.id)
  }

  /** What the person looks at has what it asked for; its conversation may wait with something else. */
  get isDone(): boolean {
    return this.#call ? this.#open === undefined : this.isOver
  }

  /** The person is writing there, or has files for it: what they began is not taken away from under their hands. */
  get isBusy(): boolean {
    const { conversation } = this
    if (this.#call) return !this.#isSent && this.attempt.words !== ''
    return conversation !== undefined && (conversation.draft !== '' || conversation.uploads.list.length > 0)
  }

  /** Called whenever the set of those that need the person changes. */
  follow() {
    const needy = this.#hub.roster.needsYou.map(({ id }) => id)
    const known = this.#queue.filter((id) => needy.includes(id))
    const queue = [...known, ...needy.filter((id) => !known.includes(id))]
    if (queue.join() !== this.#queue.join()) this.#queue = queue
  }

  next() {
    if (this.isDone && !this.isOver) return this.#goTo(this.current)
    if (this.isOver) this.#keep()
    this.#goTo(this.#queue.find((id) => id !== this.current))
  }

  #goTo(next: string | undefined) {
    this.current = next
    const asked = this.conversation?.open[0]
    this.#call = asked?.approval && asked
    this.#isSent = false
    if (!asked || !this.#call) return this.open(asked)
    this.attempt = this.conversation?.attemptAt(asked.id) ?? new Attempt()
    if (asked.shortened && this.conversation) this.#hub.person.readWhole(this.conversation, asked.id)
  }

  decide(verdict: Verdict) {
    const { conversation } = this
    if (!conversation || !this.#open) return
    this.#isSent = true
    this.#hub.person.decide(conversation, this.#open.id, verdict)
  }

  /** The conversation, around what it asks. */
  open(asked = this.#open) {
    this.#call = undefined
    const { conversation } = this
    if (!conversation || !asked) return
    this.#isAway = true
    conversation.turnTo(asked.id)
    // A question that stands at the end anyway is read there.
    const isLast = conversation.open.length === 1 && asked.id === conversation.state.said
    this.#hub.go(conversation.id, isLast ? 'end' : { entry: asked.id, top: CONTEXT_PX })
  }

  /** The current one comes again after all others. */
  skip() {
    const { current } = this
    if (current === undefined || this.isOver || this.left === 0) return
    this.#queue = [...this.#queue.filter((id) => id !== current), current]
    this.next()
  }

  /** The answer that was tapped last and can still be taken back, wherever the person is by now. */
  get held(): Held | undefined {
    return this.#kept.findLast(({ words }) => words !== undefined)
  }

  takeBack() {
    const { held } = this
    const { words } = held ?? {}
    if (!held || !words) return
    held.takeBack()
    this.answered--
    this.follow()
    this.#goTo(words.conversation)
  }

  /** What can be taken back is sent at once. */
  send() {
    for (const held of this.#kept) held.send()
  }

  #keep() {
    this.answered++
    const { conversation } = this
    const held = conversation && heldOf(conversation, this.#hub.person)
    if (!held?.words) return
    held.stays = true
    this.#kept = [...this.#kept.filter((one) => one.words && one !== held), held]
  }

  /** Goes back to where the person was before. */
  goBack() {
    const { conversation, place } = this.#from
    if (this.#isAway && conversation !== undefined) this.#hub.go(conversation, place)
  }
}
