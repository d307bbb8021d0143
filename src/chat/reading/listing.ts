import type { Views } from '../../log/views.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import type { Projection } from '../conversation/projection.ts'
import type { Rooms } from '../conversation/rooms.ts'
import type { Presence } from '../driving/presence.ts'
import type { Reading } from './reading.ts'

interface ListingParts {
  rooms: Pick<Rooms, 'state'>
  views: Pick<Views, 'conversations'>
  projection: Pick<Projection, 'ready' | 'conversations' | 'lastSaid'>
  presence: Pick<Presence, 'withAgents'>
  reading: Pick<Reading, 'entry' | 'page'>
}

/** The conversations there are, and their last messages. */
export function createListing({ rooms, views, projection, presence, reading }: ListingParts) {
  return { conversations, current, spokenInLast, lastSaid }

  /** Newest first. */
  async function conversations({ before, limit }: { before?: string; limit: number }): Promise<ConversationState[]> {
    const page = await views.conversations({ before, limit })
    return Promise.all(page.map((last) => rooms.state(last.conversation)))
  }

  /** Those with an agent or a question open, the oldest open question first. */
  async function current(): Promise<string[]> {
    await projection.ready
    return [...new Set([...projection.conversations(), ...presence.withAgents()])]
  }

  /** The conversation of the last message of all. */
  async function spokenInLast(): Promise<string | undefined> {
    const { said } = await lastSaid(undefined)
    // The one that it was in may be forgotten.
    return ((await reading.entry(said)) ?? (await reading.page(undefined, { limit: 1 })).entries[0])?.conversation
  }

  /** The ids of the last entry and of the last message, of one conversation or of all. */
  async function lastSaid(conversation: string | undefined): Promise<{ at: string; said: string }> {
    if (conversation !== undefined) {
      const { last: at, said } = await rooms.state(conversation)
      return { at, said }
    }
    await projection.ready
    return projection.lastSaid()
  }
}
