import type { Conversation } from '../state/conversation/conversation.svelte.ts'
import type { Goal } from '../state/conversation/timeline.svelte.ts'
import type { Hub } from '../state/hub/hub.svelte.ts'
import { pageHistory } from '../state/page/page-history.ts'
import { entryIn, hashOf, hashOfEntry } from '../state/page/route.ts'

/** How one moves within a conversation. In the second one that is no step in the history, which is the first one's. */
export function wayOf(hub: Hub, conversation: Conversation, isBeside: boolean) {
  const go = (goal: Goal) => (isBeside ? hub.showBeside(conversation.id, goal) : hub.go(conversation.id, goal))
  return {
    go,
    jump: (entry: string) => (isBeside ? go({ entry }) : pageHistory.visit(hashOfEntry(conversation.id, entry))),
    toTime: (time: number) => (isBeside ? go({ time }) : pageHistory.visit(hashOf(conversation.id), { time })),
    /** A link to one message has done its work once the person is elsewhere; a reload must not bring them back. */
    rest() {
      if (!isBeside && entryIn(location.hash)) pageHistory.rename(hashOf(conversation.id))
    },
  }
}
