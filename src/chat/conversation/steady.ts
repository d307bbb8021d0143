import type { Follower, Following, Journal } from '../../log/journal.ts'

type From = Parameters<Journal['follow']>[0]
type Report = (error: unknown) => void

/**
 * A journal whose followers go on where they were when it could not be read for once. One that fails again, before
 * anything more was told, has failed.
 */
export function steady(journal: Journal, report: Report): Journal {
  return { ...journal, follow }

  function follow(from: From, follower: Follower): Following {
    let { after } = from
    let failedAfter: string | undefined
    let following = begin()
    return { close: () => following.close() }

    function begin(): Following {
      return journal.follow({ ...from, after }, { ...follower, entries, failed })
    }

    function entries(news: Parameters<Follower['entries']>[0]): void | Promise<void> {
      const busy = follower.entries(news)
      if (busy) return busy.then(() => passed(news))
      passed(news)
    }

    function passed(news: Parameters<Follower['entries']>[0]) {
      after = news.at(-1)?.id ?? after
    }

    function failed(error: unknown) {
      if (failedAfter === after) return follower.failed(error)
      failedAfter = after
      report(error)
      try {
        following = begin()
      } catch (refused) {
        // A journal that closes takes no follower any more.
        follower.failed(refused)
      }
    }
  }
}

/** Work that fails once is done again; work that fails again has failed. */
export function twice<Result>(work: () => Promise<Result>, report: Report): Promise<Result> {
  return work().catch((error: unknown) => {
    report(error)
    return work()
  })
}
