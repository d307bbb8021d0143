import { later } from './later.ts'
import { receivedIn } from './memo-names.ts'

export type Received = ReturnType<typeof createReceived>

interface ReceivedParts {
  memo: { get(name: string): Promise<unknown>; put(name: string, value: unknown): Promise<void> }
  report(error: unknown): void
}

/** Where messages of all conversations are handed out together. No conversation has this name. */
const ALL = ''

/**
 * What was handed to agents, by whatever door, so that it cannot be taken back or changed any more. It counts from the
 * moment before it leaves, and whatever becomes of it then: who might have read it may have it.
 */
export function createReceived({ memo, report }: ReceivedParts) {
  /** Up to which message, by conversation. */
  const marks = new Map<string, string>()
  let begun = 0
  let revision: Promise<unknown> = Promise.resolve()
  return { handing, revising, isReceived }

  /**
   * Hands out what is read: as it is when no revision is under way, and never once more as something else.
   * `upTo`: the last message in it. `isKept`: a receipt will say so, and nothing leaves before it is in the log.
   */
  async function handing<Brought>(
    conversation: string | undefined,
    read: () => Promise<Brought>,
    upTo: (brought: Brought) => string | undefined,
    isKept = false,
  ): Promise<Brought> {
    const place = conversation ?? ALL
    await load(place)
    for (;;) {
      const known = begun
      await revision
      const brought = await read()
      if (known !== begun) continue
      await mark(place, upTo(brought), isKept)
      return brought
    }
  }

  /** One after the other, and each knows what was handed out before it. */
  function revising<Result>(conversation: string, work: () => Promise<Result>): Promise<Result> {
    begun++
    const done = revision.then(async () => {
      await Promise.all([load(ALL), load(conversation)])
      return work()
    })
    revision = done.catch(() => {})
    return done
  }

  function isReceived(conversation: string, message: string): boolean {
    return message <= later(marks.get(ALL), marks.get(conversation))
  }

  async function mark(place: string, message: string | undefined, isKept: boolean) {
    if (message === undefined || message <= later(marks.get(place))) return
    marks.set(place, message)
    if (isKept) return
    // Who reads does not depend on what can be written; until the hub ends it is known all the same.
    await memo.put(receivedIn(place), message).catch(report)
  }

  async function load(place: string) {
    if (marks.has(place)) return
    const stored = await memo.get(receivedIn(place))
    marks.set(place, later(marks.get(place), typeof stored === 'string' ? stored : undefined))
  }
}
