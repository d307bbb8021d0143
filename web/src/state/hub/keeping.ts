import { BEFORE_ALL } from '../../../../src/protocol/entries/bounds.ts'
import type { Conversation } from '../conversation/conversation.svelte.ts'
import { type DraftStore, Drafts } from '../list/drafts.ts'
import { Preferences, type PreferencesParts } from '../list/preferences.svelte.ts'
import { Seen } from '../list/seen.svelte.ts'

interface KeepingParts extends Pick<PreferencesParts, 'send'> {
  conversationOf(conversation: string): Conversation | undefined
}

/** The person's data at the hub, with what this browser has of it. */
export function keepingFor(store: DraftStore | undefined, { send, conversationOf }: KeepingParts) {
  const preferences = new Preferences({
    send,
    isThere: (id) => (conversationOf(id)?.state.last ?? BEFORE_ALL) !== BEFORE_ALL,
    drafted: (id, draft) => {
      drafts?.meet(id, draft)
      if (draft) conversationOf(id)?.writing.hear(draft)
    },
  })
  const drafts = store && new Drafts(store, preferences)
  return { preferences, drafts, seen: new Seen(preferences) }
}
