import type { Entry } from '../../protocol/entries/entry.ts'

/** Nobody is told more often. */
const REST_MS = 5

/** Entries that somebody is told of: the first at once, and those close behind it together. */
export function createGathering(tell: (entries: Entry[]) => void) {
  let waiting: Entry[] = []
  let resting: NodeJS.Timeout | undefined
  return { gather, forgotten }

  function gather(entries: Entry[]) {
    waiting.push(...entries)
    if (!resting) tellWaiting()
  }

  function forgotten(conversation: string) {
    waiting = waiting.filter((entry) => entry.conversation !== conversation)
  }

  function tellWaiting() {
    const entries = waiting
    waiting = []
    resting = entries.length > 0 ? setTimeout(tellWaiting, REST_MS) : undefined
    if (entries.length > 0) tell(entries)
  }
}
