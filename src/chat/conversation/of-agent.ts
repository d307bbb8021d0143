import type { Body } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import { GOES_ON } from '../../protocol/entries/title.ts'

/**
 * What an agent does, as it is stored. A title changes nothing that is there already, in the place of a person's, or made
 * of what the agent was told of an earlier conversation.
 */
export function ofAgent({ id, title, titled }: ConversationState, body: Body): Body {
  if (body.kind !== 'title') return body
  const isPersons = title !== id && titled === undefined
  const changesNothing = isPersons || body.title === title || body.title.startsWith(GOES_ON)
  return { ...body, by_agent: true, ...(changesNothing && { overruled: true }) }
}
