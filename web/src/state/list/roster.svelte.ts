import { untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import { DEMO } from '../../../../src/protocol/demo.ts'
import type { AgentState } from '../../../../src/protocol/entries/agent-state.ts'
import type { Entry } from '../../../../src/protocol/entries/entry.ts'
import { type ConversationState, emptyConversation } from '../../../../src/protocol/entries/fold.ts'
import type { Driven, ListedRunner } from '../../../../src/protocol/frames/driving.ts'
import type { Mark } from '../../../../src/protocol/frames/preferences.ts'
import type { AgentSeen, TimelineFrame } from '../../../../src/protocol/frames/timeline.ts'
import { Clock } from '../../text/clock.svelte.ts'
import { Conversation } from '../conversation/conversation.svelte.ts'
import { asleepIn } from './asleep.ts'
import type { Drafts } from './drafts.ts'
import { type Arrangement, isAside, needyOf, type Order, type Section, sectionsOf } from './sections.ts'
import { isNews, type Seen } from './seen.svelte.ts'

/** A change of an agent's state. */
export interface Change {
  conversation: string
  before: AgentState
  now: AgentState
}

type Offers = Pick<Extract<TimelineFrame, { type: 'welcome' }>, 'driven' | 'runners' | 'elsewhere' | 'launches'>

/** The conversations this page knows of, newest first. */
export class Roster {
  readonly seen: Seen
  readonly #conversations = new SvelteMap<string, Conversation>()
  readonly #agents = new Map<string, AgentSeen>()
  readonly #driven = new Map<string, Driven>()
  /** The runners that offer to drive conversations. */
  runners = $state.raw<ListedRunner[]>([])
  /** This person may start agents on the machine of the hub. */
  launches = $state(false)
  /** Conversations where programs answer that are no runners, or all. */
  elsewhere = $state.raw<string[] | true>([])
  /** Whether the hub would say if one of them did something else. */
  #live = false

  readonly #drafts: Drafts | undefined

  readonly #markOf: (id: string) => Mark
  readonly #clock = new Clock()

  constructor(seen: Seen, drafts?: Drafts, markOf: (id: string) => Mark = () => ({})) {
    this.seen = seen
    this.#markOf = markOf
    this.#drafts = drafts
  }

  /** Those that are about to be deleted, and can be kept until then. */
  leaving = $state.raw<readonly string[]>([])

  list: Conversation[] = $derived(
    [...this.#conversations.values()]
      .filter(({ id }) => !this.leaving.includes(id))
      .sort((a, b) => (a.state.last < b.state.last ? 1 : -1)),
  )

  /** Those that are not the demo's. */
  own: Conversation[] = $derived(this.list.filter(({ id }) => id !== DEMO))
  isNew: boolean = $derived(this.own.length === 0)

  #order = $state.raw<Order>({ grouping: 'state', filter: 'all' })
  #how: Arrangement = $derived({
    ...this.#order,
    now: this.#clock.now,
    markOf: (id) => this.#markOf(id),
    unread: (id) => this.seen.unread(id),
  })

  #held = $state.raw<Section[]>()
  sections: Section[] = $derived(sectionsOf(this.list, this.#how, this.#held))

  /** The conversations that wait for the person, the longest wait first. */
  needsYou: Conversation[] = $derived(needyOf(this.list, this.#how))

  /** The number of questions that call the person: not those from where they want to hear nothing. */
  openQuestions: number = $derived(this.openQuestionsBut(undefined))

  openQuestionsBut(shown: string | undefined): number {
    const calling = this.needsYou.filter(({ id }) => id !== shown && !this.#markOf(id).muted)
    return calling.reduce((sum, { open }) => sum + open.length, 0)
  }

  /** Another order is one that the person has just chosen, so that nothing is kept in its place. */
  arrange(order: Order) {
    const { grouping, filter } = untrack(() => this.#order)
    if (order.grouping !== grouping || order.filter !== filter) this.release()
    this.#order = order
  }

  /** The next one of them, round and round. */
  needyAfter(shown: string | undefined): string | undefined {
    const place = this.needsYou.findIndex(({ id }) => id === shown)
    return this.needsYou[(place + 1) % this.needsYou.length]?.id
  }

  /** Nothing moves in the list while a hand or the focus is in it. */
  hold() {
    this.#held ??= this.sections
  }

  release() {
    this.#held = undefined
  }

  /** The one before or after it in the list. */
  neighbourOf(shown: string | undefined, step: number): string | undefined {
    const all = this.sections.flatMap(({ kind, conversations }) => (isAside(kind) ? [] : conversations))
    return all[all.findIndex(({ id }) => id === shown) + step]?.id
  }

  get(id: string): Conversation | undefined {
    return this.#conversations.get(id)
  }

  /** The conversation where this was said, before the hub has shown it. */
  saidWith(key: string | undefined): Conversation | undefined {
    return this.list.find(({ pending, revisions }) => pending.some((words) => words.key === key) || revisions.has(key))
  }

  learn(state: ConversationState): Conversation {
    const known = this.#conversations.get(state.id)
    if (known) {
      known.learn(state)
      return known
    }
    const conversation = new Conversation(state, this.#drafts)
    this.#tell(conversation)
    this.#conversations.set(conversation.id, conversation)
    return conversation
  }

  forget(id: string) {
    this.#conversations.delete(id)
    this.#drafts?.forget(id)
    this.seen.forget(id)
  }

  follow(conversation: Conversation, entries: Entry[]) {
    const caughtUp = this.seen.since(conversation.state) === undefined && !entries.some(isNews)
    conversation.follow(entries)
    if (entries.some(({ body }) => body.kind === 'wish')) this.#tell(conversation)
    this.seen.note(conversation.id, entries)
    if (caughtUp) this.seen.look(conversation.state)
  }

  attach(id: string, agent: AgentSeen): Change {
    const before = this.#agents.get(id)?.state ?? 'gone'
    this.#agents.set(id, agent)
    const conversation = this.#conversations.get(id)
    if (conversation) this.#tell(conversation)
    return { conversation: id, before, now: agent.state }
  }

  drive(frame: Extract<TimelineFrame, { type: 'runners' | 'driven' }>) {
    if (frame.type === 'driven') return this.#drive(frame.conversation, frame.driven)
    this.#offer(frame)
    this.#tellAll()
  }

  #offer({ runners = [], elsewhere = [] }: Offers) {
    this.runners = runners
    this.elsewhere = elsewhere
  }

  /** `driven` is undefined once nobody drives it: then nobody ends what was being written. */
  #drive(id: string, driven: Driven | undefined) {
    if (driven) this.#driven.set(id, driven)
    else this.#driven.delete(id)
    const conversation = this.#conversations.get(id)
    if (conversation) this.#tell(conversation)
    if (!driven) conversation?.partials.clear()
  }

  /** Takes the agents that are here now; everyone else is gone. The hub tells all that is being written. */
  callRoll(agents: Record<string, AgentSeen>, { driven = {}, ...offers }: Offers = {}) {
    this.#live = true
    this.launches = offers.launches ?? false
    this.#offer(offers)
    this.#agents.clear()
    this.#driven.clear()
    for (const [id, agent] of Object.entries(agents)) this.#agents.set(id, agent)
    for (const [id, known] of Object.entries(driven)) this.#driven.set(id, known)
    for (const conversation of this.#conversations.values()) {
      conversation.partials.clear()
      this.#tell(conversation)
    }
  }

  /** Nobody tells any more what agents do. */
  lose() {
    this.#live = false
    this.#tellAll()
  }

  #tellAll() {
    for (const conversation of this.#conversations.values()) this.#tell(conversation)
  }

  #tell(conversation: Conversation) {
    const { state, seen } = this.#agents.get(conversation.id) ?? { state: 'gone', seen: 0 }
    conversation.live = this.#live
    const driven = this.#driven.get(conversation.id)
    const asleep = driven || state !== 'gone' ? undefined : asleepIn(conversation.state, this.runners)
    conversation.agent = asleep ? 'idle' : state
    conversation.seen = seen
    conversation.driven = driven ?? asleep
  }

  /** Another log, or too much was missed: nothing known is certain but the person's own unsent words. */
  restart(states: ConversationState[]) {
    this.seen.restart()
    const known = new Map(states.map((state) => [state.id, state]))
    for (const [id, conversation] of this.#conversations) {
      const unsent =
        conversation.draft !== '' ||
        conversation.uploads.list.length > 0 ||
        conversation.pending.some(({ accepted }) => !accepted)
      if (known.has(id) || unsent) conversation.restart(known.get(id) ?? emptyConversation(id))
      else this.#conversations.delete(id)
    }
  }
}
