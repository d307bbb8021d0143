import { folderName } from '../../../src/protocol/look.ts'
import type { Conversation } from '../state/conversation/conversation.svelte.ts'
import type { Roster } from '../state/list/roster.svelte.ts'
import { visible } from '../text/visible.ts'

/** Where its agent works: in short, the folder's own name and the branch, and in full. */
export function placeOf({ state, driven }: Conversation, { runners }: Pick<Roster, 'runners'>) {
  const name = driven?.runner ?? state.wish?.runner
  const { folder = state.folder, branch } = runners.find((runner) => runner.name === name) ?? {}
  if (!folder) return undefined
  const more = branch === undefined ? '' : ` · ${branch}`
  return { short: visible(folderName(folder) + more), full: visible(folder + more) }
}
