import { createBackOff } from '../io/back-off.ts'

const FIRST_MS = 100
const LONGEST_MS = 2000
/** About as long as a runner may take to end its agent; after that the next renewal of the lease is soon enough. */
const MOST_TRIES = 12

/**
 * A conversation that somebody else holds for now is tried again soon: a runner that it is taken from lets it go once
 * its agent has ended.
 */
export function createHandover(tryAgain: () => void) {
  const backOff = createBackOff(FIRST_MS, LONGEST_MS)
  let tries = 0
  let next: NodeJS.Timeout | undefined
  return { begin, wait, end }

  /** Something was said: it may be a while until we hold it. */
  function begin() {
    backOff.reset()
    tries = 0
  }

  function wait() {
    clearTimeout(next)
    if (tries++ < MOST_TRIES) next = setTimeout(tryAgain, backOff.next()).unref()
  }

  function end() {
    clearTimeout(next)
  }
}
