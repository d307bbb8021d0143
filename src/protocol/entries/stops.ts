import { BEFORE_ALL } from './bounds.ts'
import type { ConversationState } from './conversation.ts'

type Stop = NonNullable<ConversationState['stop']>

/** The state names so many at most; older ones are found in the log. */
export const NAMED_STOPS = 32

export function withStop(stop: Stop | undefined, last: string): Stop {
  const earlier = stop ? unheardOf(stop).slice(1 - NAMED_STOPS) : []
  return { delivered: BEFORE_ALL, read: BEFORE_ALL, ...stop, last, ...(earlier.length > 0 && { earlier }) }
}

/** Adds what its agent has heard since. */
export function withHeard(stop: Stop, heard: Partial<Stop>): Stop {
  const { earlier: before = [], ...rest } = { ...stop, ...heard }
  const earlier = before.filter((id) => id > rest.read)
  return { ...rest, ...(earlier.length > 0 && { earlier }) }
}

/** Those that the agent has not proven to have heard, oldest first. */
export function unheardOf({ earlier = [], last, read }: Stop): string[] {
  return [...earlier, last].filter((id) => id > read)
}

/** The stop as callers get it that know only yes and no. */
export function stopInWords(words: string): string {
  return `The person wants you to stop, and says: ${words}`
}
