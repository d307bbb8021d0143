import { SvelteMap } from 'svelte/reactivity'
import { BEFORE_ALL } from '../../../../src/protocol/entries/entry.ts'
import { changed, isSnoozed, withoutReply, withReply } from '../../../../src/protocol/frames/marks.ts'
import type { Draft, Mark, MarkChange, SavedReply } from '../../../../src/protocol/frames/preferences.ts'
import type { TimelineFrame } from '../../../../src/protocol/frames/timeline.ts'
import { gather } from '../hub/gather.ts'
import { newKey } from '../hub/key.ts'
import type { Request } from '../hub/link.svelte.ts'

type Kept = NonNullable<Extract<TimelineFrame, { type: 'welcome' }>['desk']>
/** A conversation, and what is open in it. */
type Asking = { id: string; open: { id: string }[] }
type Changes = Record<string, MarkChange>

export interface PreferencesParts {
  send(request: Request): void
  /** Whether the hub has this conversation, so that it can keep something about it. */
  isThere(conversation: string): boolean
  /** Called with the hub's draft there. */
  drafted(conversation: string, draft: Draft | undefined): void
}

/** Typing and reading change things all the time, and are told this often. */
const PAUSE_MS = 1500
/** Conversations of one command. */
const MOST = 100

const NOTHING: Mark = Object.freeze({})

/** The hub's data for this person: marks of conversations, and replies to be used again. The same on every device. */
export class Preferences {
  replies = $state.raw<SavedReply[]>([])
  /** Everything up to here was there when the person first came. */
  since = BEFORE_ALL
  readonly #parts: PreferencesParts | undefined
  /** Marks as the hub has them, with what it does not know yet. */
  readonly #shown = new SvelteMap<string, Mark>()
  readonly #known = new Map<string, Mark>()
  #knownReplies: SavedReply[] = []
  readonly #unsent = new Map<string, MarkChange>()
  /** An answer about them may still be on its way. */
  readonly #forgotten = new Set<string>()
  /** One at a time, so that over a dead hub they become no queue. */
  #sent: { key: string; changes: Changes } | undefined
  /** Whether this hub keeps preferences for whoever is here. */
  #kept = false
  readonly #pace = gather<string>(() => this.#tell(), PAUSE_MS)

  constructor(parts?: PreferencesParts) {
    this.#parts = parts
  }

  of(conversation: string): Mark {
    return this.#shown.get(conversation) ?? NOTHING
  }

  change(conversation: string, change: MarkChange) {
    this.#shown.set(conversation, changed(this.of(conversation), change))
    this.#unsent.set(conversation, { ...this.#unsent.get(conversation), ...change })
    if (isUrgent(change)) this.#tell()
    else this.#pace.add([conversation])
  }

  /** Whether nothing there may call the person. */
  isQuiet({ id, open }: Asking): boolean {
    return this.of(id).muted === true || isSnoozed(this.of(id), { now: Date.now(), open })
  }

  /** A snooze that is over is over for good, also once the question that ended it is answered. */
  wake({ id, open }: Asking) {
    const mark = this.of(id)
    if (mark.snoozed && !isSnoozed(mark, { now: Date.now(), open })) this.change(id, { snoozed: null })
  }

  /** Replaces the reply of that name, and another one when it is renamed. */
  keepReply(name: string, text: string, insteadOf?: string) {
    this.replies = withReply(this.replies, { name, text }, insteadOf)
    this.#parts?.send({ type: 'save_reply', key: newKey(), name, text, instead_of: insteadOf })
  }

  dropReply(name: string) {
    this.replies = withoutReply(this.replies, name)
    this.#parts?.send({ type: 'drop_reply', key: newKey(), name })
  }

  /** Nothing waits any longer: nobody may look again. */
  hurry() {
    this.#tell()
  }

  /** `listed` are the conversations that this is about; about `others` the hub is asked. */
  greet(kept: Kept | undefined, listed: string[], others: string[]) {
    this.#kept = kept !== undefined
    if (!kept) return
    this.since = kept.since
    this.#forgotten.clear()
    this.takeReplies(kept.replies)
    for (const id of listed) this.#learn(id, kept.marks[id] ?? NOTHING)
    this.ask(others)
    this.#tell()
  }

  /** Asks for the marks of a conversation that was not listed. */
  meet(conversation: string) {
    this.#forgotten.delete(conversation)
    if (!this.#known.has(conversation)) this.ask([conversation])
  }

  ask(conversations: string[]) {
    if (!this.#kept) return
    for (let first = 0; first < conversations.length; first += MOST)
      this.#parts?.send({ type: 'marks', key: newKey(), conversations: conversations.slice(first, first + MOST) })
  }

  take(marks: Record<string, Mark>, key?: string) {
    if (key !== undefined && key === this.#sent?.key) this.#sent = undefined
    for (const [conversation, mark] of Object.entries(marks)) this.#learn(conversation, mark)
    this.#goOn()
  }

  takeReplies(replies: SavedReply[]) {
    this.replies = this.#knownReplies = replies
  }

  forget(conversation: string) {
    this.#forgotten.add(conversation)
    for (const marks of [this.#shown, this.#known, this.#unsent]) marks.delete(conversation)
  }

  /** Whether it was of what nobody chose, and so needs no word. */
  refuse(key: string | undefined): boolean {
    this.replies = this.#knownReplies
    if (key === undefined || key !== this.#sent?.key) return false
    const { changes } = this.#sent
    this.#sent = undefined
    for (const [conversation, { read, draft }] of Object.entries(changes)) {
      // A read position counts here, whether the hub keeps it or not; it is not told again.
      this.#keep(conversation, changed(this.#known.get(conversation) ?? NOTHING, { read, draft }))
    }
    this.#goOn()
    return !Object.values(changes).some(isChosen)
  }

  #learn(conversation: string, mark: Mark) {
    if (this.#keep(conversation, mark)) this.#parts?.drafted(conversation, mark.draft)
  }

  #keep(conversation: string, mark: Mark): boolean {
    if (this.#forgotten.has(conversation)) return false
    this.#known.set(conversation, mark)
    this.#shown.set(conversation, this.#withUnsent(conversation, mark))
    return true
  }

  #withUnsent(conversation: string, mark: Mark): Mark {
    return changed(changed(mark, this.#sent?.changes[conversation] ?? {}), this.#unsent.get(conversation) ?? {})
  }

  /** Sends what waited for an answer. */
  #goOn() {
    const waiting = [...this.#unsent.values()]
    if (waiting.some(isUrgent)) this.#tell()
    else if (waiting.length > 0) this.#pace.add([...this.#unsent.keys()])
  }

  #tell() {
    const { isThere, send } = this.#parts ?? {}
    if (!this.#kept || this.#sent || !isThere || !send) return
    const changes = [...this.#unsent].filter(([conversation]) => isThere(conversation)).slice(0, MOST)
    if (changes.length === 0) return
    for (const [conversation] of changes) this.#unsent.delete(conversation)
    this.#sent = { key: newKey(), changes: Object.fromEntries(changes) }
    send({ type: 'mark', ...this.#sent })
  }
}

function isUrgent(change: MarkChange): boolean {
  return isChosen(change) || change.draft?.text === ''
}

/** Whether the person chose it, rather than that it follows from what they do. */
function isChosen({ read: _, draft: __, ...chosen }: MarkChange): boolean {
  return Object.keys(chosen).length > 0
}
