import { hasWords, isNobodys, type Unanswered } from '../../../src/protocol/entries/unanswered.ts'
import type { Conversation } from '../state/conversation/conversation.svelte.ts'
import type { Roster } from '../state/list/roster.svelte.ts'

/**
 * Why nobody answers what was said, if that is so; nothing is known while the hub is away. The only one who is left of
 * several gets nothing by itself, and can be chosen.
 */
export function unanswered(
  { id, state, agent, driven, live }: Pick<Conversation, 'id' | 'state' | 'agent' | 'driven' | 'live'>,
  { runners, elsewhere }: Pick<Roster, 'runners' | 'elsewhere'>,
): Unanswered | undefined {
  const answersElsewhere = elsewhere === true || elsewhere.includes(id)
  if (!live || agent !== 'gone' || driven || answersElsewhere || !isNobodys(state) || !hasWords(state)) return undefined
  return runners.some(({ problem }) => problem === undefined) ? 'which_runner' : 'no_runner'
}
