import { BEFORE_ALL, type Entry } from '../../../../src/protocol/entries/entry.ts'
import { type ConversationState, emptyConversation } from '../../../../src/protocol/entries/fold.ts'
import type { TimelineFrame } from '../../../../src/protocol/frames/timeline.ts'
import type { Starting } from '../../start/starting.svelte.ts'
import type { Conversation } from '../conversation/conversation.svelte.ts'
import { Person } from '../conversation/person.ts'
import { type Goal, type Page, placeOf, type ReadFrom } from '../conversation/timeline.svelte.ts'
import type { DraftStore } from '../list/drafts.ts'
import type { Preferences } from '../list/preferences.svelte.ts'
import { type Change, Roster } from '../list/roster.svelte.ts'
import { isNews } from '../list/seen.svelte.ts'
import type { Palette } from '../page/palette.svelte.ts'
import { gather } from './gather.ts'
import { keepingFor } from './keeping.ts'
import { newKey } from './key.ts'
import type { Known } from './known.ts'
import { Link, type LinkParts, type Request } from './link.svelte.ts'
import { Missed } from './missed.ts'
import { Notices } from './notices.svelte.ts'
import type { Outbox } from './outbox.ts'
import { PendingConversations } from './pending-conversations.ts'

type Welcome = Extract<TimelineFrame, { type: 'welcome' }>

export interface HubParts extends Omit<LinkParts, 'hello' | 'receive' | 'lost'> {
  shown?: string
  /** The entry to open it at. */
  entry?: string
  drafts?: DraftStore
  outbox?: Outbox
  known?: Known
}

/** Everything the page knows. It is fed by the link. */
export class Hub {
  readonly link: Link
  readonly roster: Roster
  readonly person: Person
  readonly preferences: Preferences
  /** Set since a conversation was first begun here. */
  starting: Starting | undefined
  /** Set since it was first opened. */
  search: Palette | undefined
  canSearch = $state(false)
  composer = $state<Welcome['composer']>()
  readonly notices = new Notices()
  shownId = $state<string>()
  besideId = $state<string>()
  hasMore = $state(false)
  /** False until the first welcome, so that a page that is still connecting does not claim to be empty. */
  welcomed = $state(false)
  /** The last live entries; a replay is never in it. */
  arrived = $state.raw<Entry[]>([])
  /** The part of it that may be read aloud. */
  news: Entry[] = $derived(this.arrived.filter(isNews))
  /** The last change of an agent's state while this page listened. */
  changed = $state.raw<Change>()
  #cursor: string | undefined
  #liveAfter = BEFORE_ALL
  #listing: string | undefined
  /** Known conversations may be older, because someone waits there. */
  #listedTo: string | undefined
  /** The place at which the shown conversation opens once it is known. */
  #goal: Goal | undefined
  /** Drawing each of many entries by itself would keep the page too busy to be used. */
  readonly #live = gather((entries: Entry[]) => this.#follow(entries))
  readonly #pending = new PendingConversations((id) =>
    this.#ask({ type: 'read', key: newKey(), conversation: id, limit: 1 }),
  )
  readonly #missed: Missed
  readonly #outbox: Outbox | undefined

  constructor({ shown, entry, drafts: store, outbox, known, ...link }: HubParts) {
    const { preferences, drafts, seen } = keepingFor(store, {
      send: (request) => this.link.send(request),
      conversationOf: (id) => this.roster.get(id),
    })
    this.preferences = preferences
    this.roster = new Roster(seen, drafts, (id) => preferences.of(id))
    this.#missed = new Missed(seen, (request) => this.link.send(request))
    this.shownId = shown
    this.#outbox = outbox
    this.#goal = entry === undefined ? undefined : { entry }
    this.link = new Link({
      ...link,
      hello: () => ({ type: 'hello', cursor: this.#cursor, conversation: this.shownId }),
      receive: (frame) => this.#receive(frame),
      lost: () => {
        this.roster.lose()
        if (known && !this.welcomed) this.#recall(known.all())
      },
    })
    this.person = new Person({
      send: (request) => this.link.send(request),
      cancel: (key) => this.link.cancel(key),
      outbox,
    })
    for (const words of outbox?.all() ?? [])
      this.person.restore(this.roster.learn(emptyConversation(words.conversation)), words)
  }

  get shown(): Conversation | undefined {
    return this.shownId === undefined ? undefined : this.roster.get(this.shownId)
  }

  get beside(): Conversation | undefined {
    return this.besideId === undefined ? undefined : this.roster.get(this.besideId)
  }

  showBeside(conversation: string | undefined, goal?: Goal) {
    this.besideId = conversation
    if (goal && this.beside) this.beside.timeline.goal = goal
    this.#loadBeside()
  }

  /** Opens the conversation, around this place or where the person was. */
  go(conversation: string | undefined, goal?: Goal) {
    this.shownId = conversation
    this.#goal = goal
    this.#load()
  }

  /** The page that continues what is shown at this side, if there is one. */
  readOn(conversation: Conversation, side: 'older' | 'newer') {
    const place = conversation.timeline.edge(side)
    if (place) this.#read(conversation, place)
  }

  listMore() {
    this.#listing ??= this.#ask({ type: 'list', key: newKey(), before: this.#listedTo })
  }

  #receive(frame: TimelineFrame) {
    if (frame.type === 'entries') return this.#live.add(frame.entries)
    if (frame.type === 'partial') return this.roster.get(frame.conversation)?.partials.take(frame)
    this.#live.flush()
    switch (frame.type) {
      case 'welcome':
        return this.#welcome(frame)
      case 'page':
        return this.#page(frame)
      case 'listed':
        if (frame.key !== this.#listing) return
        this.#listing = undefined
        this.hasMore = frame.has_more
        this.#listedTo = frame.conversations.at(-1)?.last ?? this.#listedTo
        this.preferences.take(frame.marks ?? {})
        for (const conversation of frame.conversations) this.#missed.count(this.roster.learn(conversation).state)
        return
      case 'found':
        return this.search?.take(frame)
      case 'accepted':
        this.#outbox?.drop(frame.key)
        return this.roster.saidWith(frame.key)?.accept(frame.key, frame.id)
      case 'refused':
        return this.#refused(frame)
      case 'agent':
        this.changed = this.roster.attach(frame.conversation, frame)
        return
      case 'runners':
      case 'driven':
        return this.roster.drive(frame)
      case 'started':
        return this.starting?.take(frame.key, frame.conversation)
      case 'marks':
        return this.preferences.take(frame.marks, frame.key)
      case 'replies':
        return this.preferences.takeReplies(frame.replies)
      case 'forgotten':
        return this.#forget(frame.conversation)
      case 'policy':
      case 'trouble':
        return this.notices.take(frame, this.roster.list)
      default:
        return this.starting?.launching.take(frame)
    }
  }

  #welcome({ cursor, resumed, conversations, has_more, waiting = [], agents, ...offers }: Welcome) {
    this.welcomed = true
    this.canSearch = offers.search ?? false
    this.composer = offers.composer
    this.#liveAfter = cursor
    if (!resumed) {
      this.roster.restart([...conversations, ...waiting])
      this.#pending.clear()
      this.hasMore = has_more
      this.#listedTo = conversations.at(-1)?.last
      // After a resume the cursor moves with the entries instead: those up to the welcome's are still to come.
      this.#cursor = cursor
    }
    const listed = [...conversations, ...waiting].map((conversation) => this.roster.learn(conversation).id)
    const others = this.roster.list.map(({ id }) => id).filter((id) => !listed.includes(id))
    this.preferences.greet(offers.desk, listed, others)
    for (const conversation of this.roster.list) this.preferences.wake(conversation)
    this.roster.callRoll(agents, offers)
    for (const { uploads } of this.roster.list) uploads.resume()
    for (const { id, state } of resumed ? [] : this.roster.list) {
      // Only unsent words led here; what else is in it is not known.
      if (state.last === BEFORE_ALL) this.#pending.meet(id, [])
      else if (id !== this.shownId) this.#missed.count(state)
    }
    // The greeting brings the page of a shown conversation that is listed; any other has to be asked for.
    if (resumed || !conversations.some(({ id }) => id === this.shownId)) this.#load()
    this.#loadBeside()
  }

  #page(page: Page) {
    const { id, last } = page.conversation
    if (this.#missed.take(page) || this.starting?.read(page)) return
    if (last === BEFORE_ALL && !this.roster.get(id)) return this.#miss(id)
    const conversation = this.roster.learn(page.conversation)
    this.preferences.meet(id)
    conversation.take(page)
    conversation.follow(this.#pending.take(id))
    if (page.key === undefined && !this.shown && !this.roster.isNew) this.shownId = id
    this.#load()
    this.#loadBeside()
  }

  /** The hub was not reached: what was known last is all there is, and enough to write. */
  #recall(conversations: ConversationState[]) {
    for (const conversation of conversations) this.roster.learn(conversation)
    this.shownId ??= conversations[0]?.id
  }

  #follow(entries: Entry[]) {
    for (const [id, ours] of Map.groupBy(entries, ({ conversation }) => conversation)) {
      const conversation = this.roster.get(id) ?? (this.hasMore ? undefined : this.roster.learn(emptyConversation(id)))
      if (conversation) this.roster.follow(conversation, ours)
      else this.#pending.meet(id, ours)
      if (conversation) this.preferences.wake(conversation)
    }
    this.#cursor = entries.at(-1)?.id ?? this.#cursor
    this.arrived = entries.filter((entry) => entry.id > this.#liveAfter)
    if (this.shownId === undefined && !this.roster.isNew) this.go(this.roster.own[0]?.id)
  }

  /** The address named a conversation that does not exist. */
  #miss(id: string, instead = this.roster.list[0]?.id) {
    this.#pending.take(id)
    if (this.besideId === id) this.besideId = undefined
    if (this.shownId !== id) return
    this.#goal = undefined
    this.shownId = instead
    this.#load()
  }

  /** Nothing of it stays here, whoever removed it, and a person who looked at it sees the next one in the list. */
  #forget(id: string) {
    const next = this.roster.neighbourOf(id, 1) ?? this.roster.neighbourOf(id, -1)
    this.roster.forget(id)
    this.preferences.forget(id)
    this.#outbox?.forget(id)
    this.search?.forget(id)
    this.#miss(id, next)
  }

  /** Reads what is to be shown of the shown conversation, unless it is there or the hub's greeting is about to bring it. */
  #load() {
    if (!this.welcomed || this.shownId === undefined) return
    const { shown } = this
    if (!shown) return this.#pending.meet(this.shownId, [])
    if (this.#goal) shown.timeline.goal = this.#goal
    this.#goal = undefined
    this.#fill(shown)
  }

  #loadBeside() {
    if (!this.welcomed || this.besideId === undefined) return
    if (this.beside) this.#fill(this.beside)
    else this.#pending.meet(this.besideId, [])
  }

  #fill(conversation: Conversation) {
    const { timeline } = conversation
    const { goal } = timeline
    if (goal === 'end') timeline.stay()
    if (goal && timeline.holds(goal)) timeline.arrive()
    if (goal && !timeline.holds(goal) && !timeline.isBound(goal)) this.#read(conversation, placeOf(goal))
    else if (!timeline.loaded && !timeline.awaiting) this.#read(conversation, 'end')
  }

  #read({ id, timeline }: Conversation, place: ReadFrom) {
    timeline.await(this.#ask({ type: 'read', key: newKey(), conversation: id, ...(place !== 'end' && place) }), place)
  }

  #ask(request: Request): string {
    this.link.send(request)
    return request.key
  }

  #refused({ key, error, code }: Extract<TimelineFrame, { type: 'refused' }>) {
    if (key !== undefined) this.#outbox?.drop(key)
    if (this.search?.refuse(key, error) || this.preferences.refuse(key) || this.starting?.refuse(key, error, code))
      return
    for (const { timeline } of this.roster.list) timeline.refuse(key)
    return (this.roster.saidWith(key) ?? this.shown)?.refuse(key, error)
  }
}
