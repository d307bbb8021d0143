import type { Grant } from '../../../../src/protocol/entries/fold.ts'
import type { Conversation } from '../conversation/conversation.svelte.ts'
import type { Hub } from '../hub/hub.svelte.ts'

/** The key is of the grant: whoever else takes it back too, it happens once, and never to a later grant. */
export function takeBack({ link }: Hub, { id: conversation }: Conversation, { tool_name, since }: Grant) {
  if (!link.readOnly) link.send({ type: 'revoke', key: `revoke ${since}`, conversation, tool_name, since })
}
