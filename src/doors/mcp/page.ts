/** The address where the person reads and replies, and whether anybody has it open now. */
export interface Page {
  url: string
  open: boolean
}

/** A line for the instructions of a server: no client shows what it says on stderr, so that only the agent can tell. */
export function whereItIs(page: (() => Page) | undefined): string {
  return page ? `\nThe person reads and replies at ${page().url}: tell them when they ask or do not answer.` : ''
}

/** The address, when nobody has it open. */
export function unseen(page: (() => Page) | undefined): string | undefined {
  const here = page?.()
  return here?.open ? undefined : here?.url
}
