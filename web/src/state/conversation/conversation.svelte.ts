import type { AgentState } from '../../../../src/protocol/entries/agent-state.ts'
import { BEFORE_ALL, type Entry } from '../../../../src/protocol/entries/entry.ts'
import { keysOfSeveral } from '../../../../src/protocol/entries/exchange.ts'
import { type ConversationState, fold, type OpenQuestion, withWhole } from '../../../../src/protocol/entries/fold.ts'
import type { Driven } from '../../../../src/protocol/frames/driving.ts'
import type { Target } from '../../../../src/protocol/frames/preferences.ts'
import { type Doing, leftBy } from '../list/doing.ts'
import type { Drafts } from '../list/drafts.ts'
import { Partials } from '../rows/partials.svelte.ts'
import { endedElsewhere } from '../rows/records.ts'
import { Revisions } from '../rows/revisions.svelte.ts'
import type { Bubble, Row } from '../rows/row.ts'
import { answersIn, type Pending, rowsOf } from '../rows/rows.ts'
import { isAgentsTurn } from '../rows/turn.ts'
import { Attempt } from './attempt.svelte.ts'
import { isChosen, MESSAGE, naturalTarget, questionIn, targetOf } from './target.ts'
import { type Page, Timeline } from './timeline.svelte.ts'
import { Uploads } from './uploads.svelte.ts'
import { Writing } from './writing.svelte.ts'

/** One conversation as this page knows it: the folded log, and what the person is doing in it. */
export class Conversation {
  readonly timeline = new Timeline()
  /** The files of what is being written. */
  readonly uploads = new Uploads()
  readonly partials = new Partials()
  state: ConversationState = $state.raw() as ConversationState
  /** The agent's state, as the hub said last. */
  agent = $state<AgentState>('gone')
  /** The state of its agent, while somebody drives it. */
  driven = $state.raw<Driven>()
  /** The time when its agent was last active. */
  seen = $state(0)
  /** Whether the hub would say if that changed. */
  live = $state(true)
  readonly writing: Writing
  problem = $state<string>()
  /** How the question that was docked here ended, when that was not done here. */
  news = $state<string>()
  pending = $state.raw<Pending[]>([])
  /** The last entry that the person had seen when they came; what is after it is new to them. */
  since = $state<string>()
  /** The person's place among the questions. */
  #place = $state.raw({ at: BEFORE_ALL })
  /** The keys of what was said here. It needs no signal: whatever adds to it changes `pending` too. */
  readonly #mine = new Set<string>()
  readonly revisions = new Revisions(this.#mine)
  readonly #attempts = new Map<string, Attempt>()

  constructor(state: ConversationState, drafts?: Drafts) {
    this.state = state
    this.writing = new Writing(state.id, drafts)
  }

  get id(): string {
    return this.state.id
  }

  get draft(): string {
    return this.writing.text
  }

  set draft(text: string) {
    this.writing.type(text, this.target)
  }

  /** A text that was begun keeps its target, whatever is asked meanwhile. */
  hold() {
    this.aimAt(this.target)
  }

  release() {
    this.writing.release()
  }

  aimAt(target: Target) {
    this.writing.aimAt(target)
  }

  /** Open, and neither being answered from here nor about to be withdrawn by a stop. */
  open: OpenQuestion[] = $derived.by(() => {
    if (this.pending.some(({ stop }) => stop)) return []
    const answering = new Set(this.pending.flatMap(answersIn).map(({ question }) => question))
    return this.state.open.filter(({ id }) => !answering.has(id))
  })

  /** The one in the dock: where the person is, or the next later one, and the oldest when there is none. */
  question: OpenQuestion | undefined = $derived.by(() => {
    const place = this.#place
    const next = this.open.find(({ id }) => id >= place.at) ?? this.open[0]
    // It needs no signal: it only keeps what is asked later from taking the place of what is shown.
    if (next) place.at = next.id
    return next
  })

  /** The cards that the dock shows one after the other: each question, and those of one call together. */
  cards: OpenQuestion[][] = $derived([...Map.groupBy(this.open, ({ exchange, id }) => exchange ?? id).values()])

  /** The target of what is written. A question that is no longer open leaves a message. */
  target: Target = $derived.by(() => {
    const aim = this.writing.aim ?? naturalTarget(this.question)
    const question = questionIn(aim)
    return question === undefined || this.open.some(({ id }) => id === question) ? aim : MESSAGE
  })

  /** Something is begun, or the person said where it goes, so that what is asked next does not change it. */
  isAimed: boolean = $derived.by(() => this.writing.aim !== undefined)

  /** The question that the target is about. */
  aimed: OpenQuestion | undefined = $derived.by(() => {
    const question = questionIn(this.target)
    return question === undefined ? undefined : this.open.find(({ id }) => id === question)
  })

  /** The message that is changed or answered. */
  meant: Bubble | undefined = $derived.by(() => {
    const { target } = this
    if (target.kind !== 'change' && !(target.kind === 'message' && target.answers)) return undefined
    return this.#bubble((row) => (target.kind === 'change' ? row.key === target.message : row.id === target.answers))
  })

  /** True where the target is worth showing. */
  showsTarget: boolean = $derived.by(() => this.isAimed && (this.question !== undefined || isChosen(this.target)))

  /** The question that words about an entry would answer: itself, if it asks for words, or what is aimed at. */
  questionFor(entry: string | undefined): OpenQuestion | undefined {
    const asked = this.open.find(({ id, approval }) => id === entry && !approval)
    return asked ?? (this.target.kind === 'reply' ? this.aimed : undefined)
  }

  /** The other target: a message, or what is in the dock. */
  otherTarget: Target | undefined = $derived.by(() => {
    const { question, target } = this
    if (target.kind === 'change' || (target.kind === 'message' && target.answers)) return MESSAGE
    if (!question || questionIn(target) === question.id) return question && MESSAGE
    return { kind: question.approval ? 'denial' : 'reply', question: question.id }
  })

  /** The rows after the last entry, and so only where that is. */
  #atEnd = $derived.by(() => {
    const { entries, hasNewer } = this.timeline
    if (hasNewer) return { pending: [], thinking: false }
    const { pending, driven, doing } = this
    const growing = this.partials.list
    // A driver knows whose turn it is, and a text that grows needs no other activity.
    const isTurn = driven ? growing.every(({ kind }) => kind === 'output') : isAgentsTurn(entries, pending)
    return { pending, thinking: doing === 'working' && isTurn, growing }
  })

  /** The agent was told to stop, and has neither heard it nor ended its turn yet. */
  stopping: boolean = $derived.by(() => {
    const { last, delivered, turned = BEFORE_ALL } = this.state.stop ?? { last: BEFORE_ALL, delivered: BEFORE_ALL }
    return (last > delivered && last > turned) || this.pending.some(({ stop }) => stop)
  })

  doing: Doing = $derived.by(() => {
    if (!this.live) return 'unknown'
    return this.stopping && this.agent !== 'gone' ? 'stopping' : this.agent
  })

  /** Its driver has given it something to do, and it has not come to its end. */
  inTurn: boolean = $derived(this.driven?.state === 'working' || this.driven?.state === 'waiting')

  canStop: boolean = $derived(
    (this.agent === 'working' || this.agent === 'backgrounded' || this.inTurn) && !this.stopping,
  )
  /** An agent that shows nothing may well be at work, so that a person who insists can stop it. */
  canBeStopped: boolean = $derived(this.canStop || (this.agent === 'idle' && !this.stopping))

  /** Words or files; a denial needs neither. */
  canSend: boolean = $derived(this.target.kind === 'denial' || this.draft.trim() !== '' || this.uploads.list.length > 0)

  rows: Row[] = $derived(
    rowsOf({
      entries: this.timeline.entries,
      state: this.state,
      mine: this.#mine,
      since: this.since,
      wholly: !this.timeline.hasOlder,
      left: leftBy(this.doing),
      waits: this.inTurn,
      revising: this.revisions.list,
      ...this.#atEnd,
    }),
  )

  turnTo(question: string) {
    this.#place = { at: question }
  }

  attemptAt(question: string): Attempt {
    const attempt = this.#attempts.get(question) ?? new Attempt()
    this.#attempts.set(question, attempt)
    return attempt
  }

  follow(entries: Entry[]) {
    this.#close(entries)
    this.state = entries.reduce(fold, this.state)
    this.timeline.follow(entries)
    this.partials.settle(entries)
    this.#settle(entries)
  }

  take(page: Page) {
    this.learn(page.conversation, page.entries)
    this.timeline.take(page)
    this.partials.settle(page.entries)
    this.#settle(page.entries)
  }

  /** Whichever of the two folds went further is the truth; a page may be older than what came live. */
  learn(state: ConversationState, entries?: Entry[]) {
    this.state = withWhole(state.last >= this.state.last ? state : this.state, this.state.open, entries)
  }

  takeDraft(): string {
    const { draft } = this
    this.release()
    this.draft = ''
    return draft
  }

  say(words: Pending) {
    for (const key of keysOfSeveral(words.key, answersIn(words).length || 1)) this.#mine.add(key)
    this.pending = [...this.pending, words]
    this.problem = undefined
    this.news = undefined
  }

  /** The words were taken back before they were sent. */
  unsay(key: string) {
    this.pending = this.pending.filter((words) => words.key !== key)
  }

  accept(key: string, id: string) {
    this.pending = this.pending.map((words) => (words.key === key ? { ...words, accepted: id } : words))
  }

  /** Written text goes back to the person, before whatever they wrote since; a tapped answer is in its attempt. */
  refuse(key: string | undefined, error: string) {
    const revision = this.revisions.refuse(key)
    const refused = this.pending.find((words) => words.key === key)
    this.pending = this.pending.filter((words) => words !== refused)
    this.problem = error
    if (revision?.text !== undefined) this.#giveBack(revision.text, MESSAGE)
    if (!refused) return
    const [first] = answersIn(refused)
    if (first) this.turnTo(first.question)
    for (const { question, choices = [], text = '', attachments = [] } of refused.answers ?? [])
      Object.assign(this.attemptAt(question), { choices, words: text, files: attachments })
    this.uploads.giveBack(refused.attachments ?? [])
    if (refused.tapped) return
    this.#giveBack(refused.words ?? refused.text, targetOf(refused))
  }

  #giveBack(words: string, target: Target) {
    if (this.draft === '') this.aimAt(target)
    this.draft = [words, this.draft].filter(Boolean).join('\n\n')
  }

  /** It never left, so that it is as if it had not been sent: what was written is in the composer again. */
  recall({ key, words, text, attachments = [], ...where }: Pending) {
    this.pending = this.pending.filter((other) => other.key !== key)
    this.uploads.giveBack(attachments)
    this.#giveBack(words ?? text, targetOf(where))
  }

  #bubble(is: (row: Bubble) => boolean): Bubble | undefined {
    return this.rows.find((row): row is Bubble => row.kind === 'bubble' && is(row))
  }

  /** Accepted words are in the log and come back with its pages; only unsent ones must survive here. */
  restart(state: ConversationState) {
    this.state = state
    this.timeline.restart()
    this.pending = this.pending.filter(({ accepted }) => !accepted)
  }

  /** The first answer wins. Whoever was about to give another one is told, and what they began is void. */
  #close(entries: Entry[]) {
    const answering = new Set([this.question?.id, ...this.pending.flatMap(answersIn).map(({ question }) => question)])
    for (const { key = '', body } of entries) {
      if (body.kind !== 'settlement') continue
      this.#attempts.delete(body.question)
      const byStop = body.outcome === 'withdrawn' && this.pending.some(({ stop }) => stop)
      if (answering.has(body.question) && !this.#mine.has(key) && !byStop)
        this.news = endedElsewhere(body, this.state.open.find(({ id }) => id === body.question)?.approval)
    }
  }

  /** An own message has become an entry. Its key says so: two messages may have the same text. */
  #settle(entries: Entry[]) {
    this.revisions.settle(entries)
    if (this.pending.length === 0) return
    const keys = new Set(entries.map(({ key }) => key))
    this.pending = this.pending.filter(({ key }) => !keys.has(key))
  }
}
