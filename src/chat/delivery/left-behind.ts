import type { Views } from '../../log/views.ts'
import type { Agent } from '../../protocol/entries/agent.ts'
import { isNamedAfter } from '../conversation/conversation-name.ts'
import type { Rooms } from '../conversation/rooms.ts'
import type { Presence } from '../driving/presence.ts'
import { type Before, type Prepared, placesOf } from '../questions/asking.ts'
import { SAME_MS } from './visits.ts'

interface LeftBehindParts<Asked> extends Before {
  views: Pick<Views, 'conversations'>
  rooms: Pick<Rooms, 'state'>
  presence: Pick<Presence, 'withAgents'>
  prepared(whose: Agent, question: Asked): Prepared
  now(): number
}

// More are not looked at: somebody waits for the answer.
const NEWEST = 100

/**
 * The conversation where an agent goes on that comes back and cannot say who it was: nobody is there any longer, it
 * works in the same folder, and what it asks was left there lately, open or with a reply that reached nobody. Later,
 * the same words may well be about something else. Where several conversations could be meant, none is.
 */
export function createLeftBehind<Asked>({
  views,
  rooms,
  presence,
  prepared,
  isMeant,
  reached,
  now,
}: LeftBehindParts<Asked>) {
  return leftBehind

  async function leftBehind(whose: Agent, title: string, since: number, questions: Asked[]) {
    if (!whose.folder) return undefined
    const asked = questions.map((question) => prepared(whose, question))
    let found: string | undefined
    for (const { conversation } of await views.conversations({ limit: NEWEST })) {
      if (!isNamedAfter(title, conversation) || presence.withAgents().includes(conversation)) continue
      const state = await rooms.state(conversation)
      if (state.last_at < now() - SAME_MS) break
      if (state.folder !== whose.folder) continue
      const places = placesOf(state, asked, {
        isMeant: (before, asks) => (before.at ?? 0) >= since && isMeant(before, { ...asks, began: whose.began }),
        reached,
      })
      if (places.length === 0 || places.includes(undefined)) continue
      if (found !== undefined) return undefined
      found = conversation
    }
    return found
  }
}
