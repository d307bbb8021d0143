import type { SettledEntry } from '../../protocol/entries/entry.ts'
import type { ParleyError } from '../../protocol/errors.ts'

/** The time of a question is over, and that cannot be written down now: it stays open, and nobody waits for it. */
export class StillOpen extends Error {
  override readonly name = 'StillOpen'
}

export type Waiters = ReturnType<typeof createWaiters<SettledEntry>>

/** Those who wait for the settlement of a question. Waiting is all they do: the question itself is in the log. */
export function createWaiters<Result = SettledEntry>() {
  const waiters = new Map<string, Set<Waiter<Result>>>()
  let closed: ParleyError | undefined
  return { wait, settled, stillOpen, close }

  function wait(question: string, signal: AbortSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter<Result> = { resolve: end(resolve), reject: end(reject) }
      const abort = () => waiter.reject(signal.reason)
      if (signal.aborted) return reject(signal.reason)
      if (closed) return reject(closed)
      signal.addEventListener('abort', abort)
      waiters.set(question, (waiters.get(question) ?? new Set()).add(waiter))

      function end<Value>(finish: (value: Value) => void) {
        return (value: Value) => {
          signal.removeEventListener('abort', abort)
          const others = waiters.get(question)
          others?.delete(waiter)
          if (others?.size === 0) waiters.delete(question)
          finish(value)
        }
      }
    })
  }

  function settled(question: string, settlement: Result) {
    for (const waiter of waiters.get(question) ?? []) waiter.resolve(settlement)
  }

  function stillOpen(question: string) {
    for (const waiter of waiters.get(question) ?? []) waiter.reject(new StillOpen(`${question} is still open`))
  }

  /** Everyone is told why, also who comes to wait later. */
  function close(reason: ParleyError) {
    closed = reason
    for (const waiting of [...waiters.values()]) for (const waiter of waiting) waiter.reject(reason)
  }
}

interface Waiter<Result> {
  resolve(awaited: Result): void
  reject(reason: unknown): void
}
