import type { Clock } from '../../io/clock.ts'
import { isRefusal } from '../../protocol/refusal.ts'

interface DeadlinesParts {
  clock: Clock
  /** Ends the question. */
  expire(question: string): Promise<unknown>
  waiters: { stillOpen(question: string): void }
  report(error: unknown): void
}

// A log that takes nothing now, as on a full disk, may take it later.
const TRY_AGAIN_MS = 10_000

/** Rings for every open question that has a deadline. Set from the log, so that a restart forgets none. */
export function createDeadlines({ clock, expire, waiters, report }: DeadlinesParts) {
  const alarms = new Map<string, { cancel(): void }>()
  let closed = false
  return { set, forget, close }

  function set(question: string, at: number) {
    if (closed || alarms.has(question)) return
    const alarm = clock.alarm(at, () => {
      alarms.delete(question)
      void ring(question)
    })
    alarms.set(question, alarm)
  }

  function ring(question: string): Promise<unknown> {
    return expire(question).catch((error) => {
      // An answer that came in the same moment was first, and the first one wins.
      if (isRefusal(error, 'question_settled')) return
      report(error)
      waiters.stillOpen(question)
      set(question, clock.now() + TRY_AGAIN_MS)
    })
  }

  function forget(question: string) {
    alarms.get(question)?.cancel()
    alarms.delete(question)
  }

  function close() {
    closed = true
    for (const alarm of alarms.values()) alarm.cancel()
    alarms.clear()
  }
}
