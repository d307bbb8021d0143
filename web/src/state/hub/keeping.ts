import { BEFORE_ALL } from '../../../../src/protocol/entries/bounds.ts'
import type { Talk } from '../conversation/talk.svelte.ts'
import { Desk, type DeskParts } from '../list/desk.svelte.ts'
import { type DraftStore, Drafts } from '../list/drafts.ts'
import { Seen } from '../list/seen.svelte.ts'

interface KeepingParts extends Pick<DeskParts, 'send'> {
  talkOf(conversation: string): Talk | undefined
}

/** What the hub keeps for the person, with what this browser has of it. */
export function keepingFor(store: DraftStore | undefined, { send, talkOf }: KeepingParts) {
  const desk = new Desk({
    send,
    isThere: (id) => (talkOf(id)?.state.last ?? BEFORE_ALL) !== BEFORE_ALL,
    drafted: (id, draft) => {
      drafts?.meet(id, draft)
      if (draft) talkOf(id)?.writing.hear(draft)
    },
  })
  const drafts = store && new Drafts(store, desk)
  return { desk, drafts, seen: new Seen(desk) }
}
