import type { Body, Entry } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'

/** An entry to append; with a key, the same again is the one that was appended first. */
export interface Proposed {
  body: Body
  key?: string
}

/** The entries to append, given the conversation as it will be when the turn comes. Throws to refuse. */
export type Decide = (state: ConversationState) => Proposed[]

const NO_ID = '~'

/** An entry whose id the decision needs is being appended just now; it decides again afterwards. */
export class NotYet extends Error {}

/** What the decision was made from is not as it was looked up any more: whoever made it looks again. */
export class Overtaken extends Error {}

/** The id of what others have decided may not be known yet: whoever writes it down must ask for it here. */
export function knownId(id: string): string {
  if (id.startsWith(NO_ID)) throw new NotYet()
  return id
}

/** Stands in for an entry that has no id yet: sorts after every id, in the order of the drafts. */
export function placeholder({ id: conversation, last_at: at }: ConversationState, place: number, body: Body): Entry {
  return { id: `${NO_ID}${String(place).padStart(15, '0')}`, conversation, at, body }
}

export function bodies(...all: Body[]): Proposed[] {
  return all.map((body) => ({ body }))
}
