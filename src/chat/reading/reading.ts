import { idBefore, type Journal } from '../../log/journal.ts'
import type { Views } from '../../log/views.ts'
import { AFTER_ALL, BEFORE_ALL, type Entry } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import type { Projection } from '../conversation/projection.ts'
import { createFinding } from './finding.ts'
import { searchedPlaces } from './searched-places.ts'

export interface Range {
  before?: string
  after?: string
  /** The page has this entry, or the one that would follow it, in the middle. */
  around?: string
  /** The page has the first entry of this moment or later in the middle, or else ends with the last one. */
  around_time?: number
  limit: number
}

interface ReadingParts {
  journal: Pick<Journal, 'last'>
  views: Views
  stateOf(conversation: string): Promise<ConversationState>
  /** Knows the last entry and all open questions, once it has read all, and which messages have other words by now, or none. */
  projection?: Pick<Projection, 'last' | 'revisionOf' | 'ready' | 'conversations'>
  /** Resolves once an id that another hub gave out can be looked up; without it there is no other. */
  caughtUp?(id: string): Promise<void> | undefined
}

export type Reading = ReturnType<typeof createReading>

/** The entries, page by page; each page costs what it brings. */
export function createReading({ journal, views, stateOf, projection, caughtUp }: ReadingParts) {
  const titleOf = async (conversation: string) => (await stateOf(conversation)).title
  const among = searchedPlaces({ views, stateOf, projection })
  return {
    entry,
    page,
    canResume,
    ...createFinding({ views, among, titleOf, isRevised: (message) => projection?.revisionOf(message) !== undefined }),
    last: async () => projection?.last() ?? journal.last(),
  }

  async function entry(id: string): Promise<Entry | undefined> {
    const behind = caughtUp?.(id)
    if (behind) await behind
    const [found] = (await views.read({ after: idBefore(id), limit: 1 })) as Entry[]
    return found?.id === id ? found : undefined
  }

  /** The first entries after `after`, the last ones before `before`, those around a place, or the last ones of all. */
  async function page(conversation: string | undefined, { before, after, around, around_time, limit }: Range) {
    const known = around ?? after
    const behind = known === undefined ? undefined : caughtUp?.(known)
    if (behind) await behind
    if (around !== undefined) return middle(conversation, around, limit)
    if (around_time !== undefined) return middle(conversation, await firstAt(conversation, around_time), limit)
    const forward = after !== undefined
    const range = forward ? { after, before } : { before: before ?? AFTER_ALL }
    const found = await views.read({ conversation, ...range, limit: limit + 1 })
    const isOver = found.length > limit
    const hasMore = isOver || found.full === true
    return {
      entries: (isOver ? (forward ? found.slice(0, limit) : found.slice(1)) : found) as Entry[],
      has_older: forward ? true : hasMore,
      has_newer: forward ? hasMore : before !== undefined,
    }
  }

  async function middle(conversation: string | undefined, id: string, limit: number) {
    const [older, newer] = await Promise.all([
      views.read({ conversation, before: id, limit: limit + 1 }),
      views.read({ conversation, after: idBefore(id), limit: limit + 1 }),
    ])
    // Near an end of the conversation the other side has more of the page.
    const ahead = Math.min(newer.length, Math.max(Math.ceil(limit / 2), limit - older.length))
    const back = Math.min(older.length, limit - ahead)
    return {
      entries: [...older.slice(older.length - back), ...newer.slice(0, ahead)] as Entry[],
      has_older: older.length > back || older.full === true,
      has_newer: newer.length > ahead || newer.full === true,
    }
  }

  /** The id of the first entry at that time or later. Halves what lies between, because ids grow as time does. */
  async function firstAt(conversation: string | undefined, time: number): Promise<string> {
    const [first] = await views.read({ conversation, after: BEFORE_ALL, limit: 1 })
    let [from, to] = [Number(first?.id ?? BEFORE_ALL), Number(await journal.last()) + 1]
    while (from < to) {
      const place = Math.floor((from + to) / 2)
      const [next] = await views.read({ conversation, after: idBefore(idAt(place)), limit: 1 })
      if (next && next.at < time) from = Number(next.id) + 1
      else to = place
    }
    return idAt(from)
  }

  /**
   * Whether the cursor is of this log, nothing was forgotten since, and at most `limit` entries came after it, so that
   * they can be replayed.
   */
  async function canResume(cursor: string, limit: number): Promise<boolean> {
    if (cursor !== BEFORE_ALL && !(await entry(cursor))) return false
    // Something that its page knows may be gone, and nothing that could be replayed would say so.
    const forgotten = await views.forgottenTo()
    if (forgotten !== BEFORE_ALL && cursor <= forgotten) return false
    const missed = await views.read({ after: cursor, limit: limit + 1 })
    return missed.length <= limit && !missed.full
  }
}

function idAt(place: number): string {
  return String(place).padStart(BEFORE_ALL.length, '0')
}
