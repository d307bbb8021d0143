import type { Talk } from '../state/conversation/talk.svelte.ts'
import type { Goal } from '../state/conversation/timeline.svelte.ts'
import type { Hub } from '../state/hub/hub.svelte.ts'
import { entryIn, hashOf, hashOfEntry } from '../state/page/route.ts'
import { trail } from '../state/page/trail.ts'

/** How one moves within a conversation. In the second one that is no step of the trail, which is the first one's. */
export function wayOf(hub: Hub, talk: Talk, isBeside: boolean) {
  const go = (goal: Goal) => (isBeside ? hub.showBeside(talk.id, goal) : hub.go(talk.id, goal))
  return {
    go,
    jump: (entry: string) => (isBeside ? go({ entry }) : trail.visit(hashOfEntry(talk.id, entry))),
    toTime: (time: number) => (isBeside ? go({ time }) : trail.visit(hashOf(talk.id), { time })),
    /** A link to one message has done its work once the person is elsewhere; a reload must not bring them back. */
    rest() {
      if (!isBeside && entryIn(location.hash)) trail.rename(hashOf(talk.id))
    },
  }
}
