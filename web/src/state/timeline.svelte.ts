import type { Entry } from '../../../src/protocol/entry.ts'
import type { TimelineFrame } from '../../../src/protocol/timeline.ts'

export type Page = Extract<TimelineFrame, { type: 'page' }>

/** A gapless window on one conversation's entries: it grows at both ends, and each entry is in it once. */
export class Timeline {
  entries = $state.raw<Entry[]>([])
  hasOlder = $state(false)
  loaded = $state(false)
  /** The key of the read under way; a page that answers another read is not for this window. */
  awaiting = $state<string>()
  #stale = false

  /** Live entries of a conversation nobody looked at are left out: its newest page is read when someone does. */
  follow(entries: Entry[]) {
    if (this.loaded || this.awaiting) this.entries = merge(this.entries, entries)
  }

  take(page: Page) {
    this.entries = this.#stale && !joins(this.entries, page.entries) ? page.entries : merge(this.entries, page.entries)
    if (this.entries[0] === page.entries[0] || page.entries.length === 0) this.hasOlder = page.has_older
    this.loaded = true
    this.awaiting = undefined
    this.#stale = false
  }

  /** The hub could not resume: what is shown stays until the newest page says whether it still holds. */
  restart() {
    this.loaded = false
    this.awaiting = undefined
    this.#stale = true
  }
}

/** By id. The usual cases, all newer or all older, cost no comparison of the whole window. */
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

/** Without a shared entry there may be a gap between the two, and a gap must never be shown as history. */
function joins(known: Entry[], page: Entry[]): boolean {
  const last = known.at(-1)
  return last !== undefined && page.some((entry) => entry.id === last.id)
}
