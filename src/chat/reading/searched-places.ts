import type { Views } from '../../log/views.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import type { SearchFilter } from '../../protocol/frames/search.ts'
import { fitsFolder } from '../../protocol/search/wanted-conversation.ts'
import type { Projection } from '../conversation/projection.ts'

type Placed = (wanted: Pick<SearchFilter, 'folders' | 'waiting'>) => Promise<string[] | undefined>

interface Parts {
  views: Pick<Views, 'conversations'>
  stateOf(conversation: string): Promise<ConversationState>
  projection?: Pick<Projection, 'ready' | 'conversations'>
}

/** So many are in memory, and cost no more than a look. */
const NEWEST = 250
const MOST = 500

/** The conversations in some folders, as far as they are among the newest, or with open questions. */
export function searchedPlaces({ views, stateOf, projection }: Parts): Placed {
  return async ({ folders, waiting }) => {
    if (!folders && !waiting) return undefined
    await projection?.ready
    const all = waiting ? [...(projection?.conversations() ?? [])] : await newest()
    if (!folders) return all.slice(0, MOST)
    const states = await Promise.all(all.slice(0, MOST).map((id) => stateOf(id)))
    const isThere = (folder = '') => folders.some((pattern) => fitsFolder(pattern, folder))
    return states.filter(({ folder }) => isThere(folder)).map(({ id }) => id)
  }

  async function newest(): Promise<string[]> {
    const known = await views.conversations({ limit: NEWEST })
    return known.map(({ conversation }) => conversation)
  }
}
