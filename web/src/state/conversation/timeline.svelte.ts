import type { Entry } from '../../../../src/protocol/entries/entry.ts'
import { withRevisions } from '../../../../src/protocol/entries/revision.ts'
import type { TimelineFrame } from '../../../../src/protocol/frames/timeline.ts'

export type Page = Extract<TimelineFrame, { type: 'page' }>

/** The page that is being read: before or after the window, around a place, or the newest of all. */
export type ReadFrom = { before: string } | { after: string } | { around: string } | { around_time: number } | 'end'

/**
 * The place where the person wants to be; of a moment, its first entry. With `top` it is where they were: so many
 * pixels below the upper edge.
 */
export type Goal = { entry: string; top?: number } | { time: number } | 'end'

interface Read {
  key: string
  place: ReadFrom
}

/** More entries than this are never kept; those that are farthest from what is being read go. */
export const WINDOW = 600
/** The number of entries that are kept of a conversation that nobody looks at. */
const RESTING = 120
/** Live entries that wait for a page to connect them with the window. */
const WAITING = 500

/** A gapless window on one conversation's entries: it moves in both directions, and each entry is in it once. */
export class Timeline {
  entries = $state.raw<Entry[]>([])
  hasOlder = $state(false)
  /** The window ends before the conversation does. */
  hasNewer = $state(false)
  loaded = $state(false)
  /** The read under way; a page that answers another one is not for this window. */
  awaiting = $state.raw<Read>()
  /** Each time the window is another one, with nothing to keep in its place. */
  epoch = $state(0)
  /** The goal in this window, until it is drawn. */
  goal = $state.raw<Goal>()
  /** How much was said since the person left the end. */
  missed = $state(0)
  /** Whether the person reads the end, and not what is above. */
  following = $state(true)
  /** The person went far from the end by hand. */
  far = $state(false)
  /** The person's place in it. */
  place: Goal | undefined
  /** Whether it is on screen; one that is not rests with few entries. */
  watched = false
  #waiting: Entry[] = []
  #stale = false

  follow(entries: Entry[]) {
    if (entries.length === 0) return
    if (!this.following) this.missed += entries.filter(isSaid).length
    this.entries = withRevisions(this.entries, entries)
    if (this.loaded && !this.hasNewer) {
      this.entries = merge(this.entries, withRevisions(entries, entries))
      if (!this.watched && this.entries.length > 2 * RESTING) this.rest()
    } else if (this.awaiting) {
      // The page under way may have been read before these were said.
      this.#waiting = [...this.#waiting, ...entries]
    }
  }

  /** Something of it is there, which a question may need to be understood. */
  get begun(): boolean {
    return this.loaded || this.entries.length > 0
  }

  stay() {
    this.following = true
    this.far = false
    this.missed = 0
  }

  leave() {
    this.following = false
  }

  /** Whether the window has the place of the goal in it. */
  holds(goal: Goal): boolean {
    const [first, last] = [this.entries[0], this.entries.at(-1)]
    if (!this.loaded || !first || !last) return this.loaded
    if (goal === 'end') return !this.hasNewer
    const [isAfterFirst, isBeforeLast] =
      'entry' in goal ? [goal.entry >= first.id, goal.entry <= last.id] : [goal.time > first.at, goal.time <= last.at]
    return (isAfterFirst || !this.hasOlder) && (isBeforeLast || !this.hasNewer)
  }

  /** Whether the page under way is the one for this goal. */
  isBound(goal: Goal): boolean {
    const place = this.awaiting?.place
    if (place === undefined || place === 'end' || goal === 'end') return place === goal
    if ('entry' in goal) return 'around' in place && place.around === goal.entry
    return 'around_time' in place && place.around_time === goal.time
  }

  /** The person is there already: a page of another place would lead away again. */
  arrive() {
    const { place } = this.awaiting ?? {}
    if (typeof place === 'object' && ('around' in place || 'around_time' in place)) this.awaiting = undefined
  }

  /** The page to read that continues the window; undefined when there is none or it is under way. */
  edge(side: 'older' | 'newer'): ReadFrom | undefined {
    const [first, last] = [this.entries[0], this.entries.at(-1)]
    if (!this.loaded || this.awaiting || !first || !last) return undefined
    if (side === 'older') return this.hasOlder ? { before: first.id } : undefined
    return this.hasNewer ? { after: last.id } : undefined
  }

  await(key: string, place: ReadFrom) {
    this.awaiting = { key, place }
    this.#waiting = []
  }

  refuse(key: string | undefined) {
    if (key !== undefined && this.awaiting?.key === key) this.awaiting = undefined
  }

  /** A page without a key is the newest one, with which the hub greets. */
  take(page: Page) {
    const { key, place = 'end' } = this.awaiting ?? {}
    // A greeting is of no use to someone on their way to another place.
    if (page.key !== key && (page.key !== undefined || place !== 'end')) return
    this.#place(page, place)
    this.loaded = true
    if (page.key === key) this.awaiting = undefined
    this.entries = withRevisions(this.entries, this.#waiting)
    if (!this.hasNewer) this.#connect(withRevisions(this.#waiting, this.#waiting))
    this.#waiting = []
  }

  /** The hub could not resume: what is shown stays until the newest page says whether it still holds. */
  restart() {
    this.loaded = false
    this.awaiting = undefined
    this.#stale = true
  }

  /** Entries are dropped at one end at a time: whoever draws the window must see which. */
  drop(side: 'older' | 'newer', count: number) {
    if (count <= 0) return
    if (side === 'older') {
      this.entries = this.entries.slice(count)
      this.hasOlder = true
    } else {
      this.entries = this.entries.slice(0, -count)
      this.hasNewer = true
    }
  }

  /** Nobody looks any more. Its newest entries may stay; a window elsewhere is read again when it is wanted. */
  rest() {
    if (!this.loaded) return
    if (this.hasNewer) {
      this.entries = []
      this.loaded = this.hasNewer = false
      this.awaiting = undefined
      this.epoch++
    } else this.drop('older', this.entries.length - RESTING)
  }

  #place(page: Page, place: ReadFrom) {
    const { entries, has_older, has_newer } = page
    const [first, last] = [this.entries[0], this.entries.at(-1)]
    if (place === 'end') {
      if (!first || joins(this.entries, entries)) this.#extend(page)
      // Another page would move what is being read; what came meanwhile is only a click away.
      else if (this.#stale && !this.following) this.hasNewer = true
      else this.#replace(page)
      this.#stale = false
    } else if ('before' in place) {
      if (first?.id !== place.before) return
      this.entries = merge(entries, this.entries)
      this.hasOlder = has_older
    } else if ('after' in place) {
      if (last?.id !== place.after) return
      this.entries = merge(this.entries, entries)
      this.hasNewer = has_newer
    } else this.#replace(page)
  }

  #extend({ entries, has_older }: Page) {
    this.entries = merge(this.entries, entries)
    if (this.entries[0] === entries[0]) this.hasOlder = has_older
    this.hasNewer = false
  }

  #replace({ entries, has_older, has_newer }: Page) {
    this.entries = entries
    this.hasOlder = has_older
    this.hasNewer = has_newer
    this.#stale = false
    this.epoch++
  }

  #connect(waiting: Entry[]) {
    // More came than are kept: the end has to be read once more.
    if (waiting.length > WAITING) this.hasNewer = true
    else this.entries = merge(this.entries, waiting)
  }
}

/** The page to read to get there. */
export function placeOf(goal: Goal): ReadFrom {
  if (goal === 'end') return goal
  return 'entry' in goal ? { around: goal.entry } : { around_time: goal.time }
}

/** Merged by id. The usual cases, all newer or all older, cost no comparison of the whole window. */
export function merge(known: Entry[], more: Entry[]): Entry[] {
  const [first, last] = [known[0], known.at(-1)]
  const [firstMore, lastMore] = [more[0], more.at(-1)]
  if (!firstMore || !lastMore) return known
  if (!first || !last) return more
  if (firstMore.id > last.id) return [...known, ...more]
  if (lastMore.id < first.id) return [...more, ...known]
  const byId = new Map([...known, ...more].map((entry) => [entry.id, entry]))
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Two pages without a shared entry may have a gap between them, and a gap must never be shown as history. */
function joins(known: Entry[], page: Entry[]): boolean {
  const ids = new Set(known.map(({ id }) => id))
  return page.some(({ id }) => ids.has(id))
}

/** Worth counting as new: what is said, and what wants an answer. */
function isSaid({ body }: Entry): boolean {
  return body.kind === 'message' || body.kind === 'question' || (body.kind === 'settlement' && body.reply !== undefined)
}
