import type { Present } from '../chat/presence.ts'
import type { Reception } from '../chat/reception.ts'
import { ParleyError } from '../protocol/errors.ts'
import { LinkLost } from './joined-hub.ts'

/** A hub that was found: in this process, where it is never lost, or in another. */
export interface Found {
  reception: Reception
  lost: Promise<void>
}

/**
 * The hub wherever it is: when one goes away the next is found, everything that waits is asked again there, and nobody
 * who uses it notices. It may ask again because every verb of a host can be repeated.
 */
export function createMovingReception(find: () => Promise<Found>) {
  /** Told when this process closes. Each on its own: a promise that all of them wait for would keep them all. */
  const waiting = new Set<(error: ParleyError) => void>()
  const agents = new Set<{ arrive(place: Found): void }>()
  let isClosed = false
  /** The last hub that was found; what is said to one that is gone is not heard. */
  let at: Found | undefined
  let here = search()
  const reception: Reception = {
    ask: (...args) => use(({ ask }) => ask(...args)),
    outcome: (question, signal) => use(({ outcome }) => outcome(question, signal), signal),
    stillOpen: (questions) => use(({ stillOpen }) => stillOpen(questions)),
    withdraw: (questions) => use(({ withdraw }) => withdraw(questions)),
    unread: (...args) => use(({ unread }) => unread(...args)),
    tell: (...args) => use(({ tell }) => tell(...args)),
    note: (...args) => use(({ note }) => note(...args)),
    enter,
  }
  return {
    ...reception,
    /** Rejects when the first hub cannot be had. */
    ready: here,
    /** Whoever waits is told that this process closes. */
    close() {
      isClosed = true
      for (const end of [...waiting]) end(new ParleyError('shutting_down'))
    },
  }

  function search(): Promise<Found> {
    const found = find()
    found.then(
      (place) => {
        at = place
        // Before anything is asked there: whoever asks must have entered.
        for (const agent of agents) agent.arrive(place)
        // Also when nothing is asked of it, the next hub is found at once: the page needs one too.
        void place.lost.then(() => moveOn(found))
      },
      () => {},
    )
    return found
  }

  function moveOn(from: Promise<Found>) {
    if (here === from && !isClosed) here = search()
  }

  async function use<Result>(work: (reception: Reception) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    for (;;) {
      const found = here
      try {
        const { reception } = await orClosed(found.catch(tryAgainNextTime))
        return await orClosed(work(reception))
      } catch (error) {
        signal?.throwIfAborted()
        if (!(error instanceof LinkLost)) throw error
        moveOn(found)
      }

      function tryAgainNextTime(error: unknown): never {
        moveOn(found)
        throw error
      }
    }
  }

  function orClosed<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (isClosed) return reject(new ParleyError('shutting_down'))
      waiting.add(reject)
      work.then(resolve, reject).finally(() => waiting.delete(reject))
    })
  }

  /** In one hub after the other, and in each of them as busy as before. */
  function enter(conversation: string): Present {
    let asking = 0
    let present: Present | undefined
    const agent = { arrive }
    agents.add(agent)
    if (at) arrive(at)
    return {
      asks: () => {
        asking++
        present?.asks()
      },
      gotAnswer: () => {
        asking--
        present?.gotAnswer()
      },
      leave: () => {
        agents.delete(agent)
        present?.leave()
      },
    }

    function arrive({ reception }: Found) {
      present = reception.enter(conversation)
      for (let n = 0; n < asking; n++) present.asks()
    }
  }
}
