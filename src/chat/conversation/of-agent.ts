import type { Body } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'

/** What an agent does, as it is stored: a title that is there already, or in the place of a person's, changes nothing. */
export function ofAgent({ id, title, titled }: ConversationState, body: Body): Body {
  if (body.kind !== 'title') return body
  const isPersons = title !== id && titled === undefined
  return { ...body, by_agent: true, ...((isPersons || body.title === title) && { overruled: true }) }
}
