import type { Clock } from '../../io/clock.ts'
import { ifRefused, isOfDisk, isRefusal } from '../../protocol/refusal.ts'

export type Overdue = ReturnType<typeof createOverdue>

interface OverdueParts {
  clock: Clock
  report(error: unknown): void
}

interface Late {
  write(): Promise<unknown>
  alarm?: { cancel(): void }
}

/** The hub looks just as often whether there is room again. */
const TRY_AGAIN_MS = 1000

/** Questions that have ended, and whose end is not written yet: where the disk does not take it, it is tried again. */
export function createOverdue({ clock, report }: OverdueParts) {
  const late = new Map<string, Late>()
  let closed = false
  return { end, has: (question: string) => late.has(question), ended, forget, close }

  /** Resolves when its end is written, or is to be as soon as there is room. */
  async function end(question: string, write: () => Promise<unknown>): Promise<void> {
    forget(question)
    const one: Late = { write }
    late.set(question, one)
    try {
      await write()
    } catch (error) {
      if (!isOfDisk(error)) throw error
      if (late.get(question) === one && !closed) tryAgain(question, one)
    } finally {
      if (one.alarm === undefined && late.get(question) === one) late.delete(question)
    }
  }

  function tryAgain(question: string, one: Late) {
    one.alarm = clock.alarm(clock.now() + TRY_AGAIN_MS, () => {
      end(question, one.write).catch((error) => {
        // Somebody was first, or the hub closes.
        if (!isRefusal(error)) report(error)
      })
    })
  }

  /** Writes its end before anybody else may end it. Rejects where that cannot be written either. */
  async function ended(question: string): Promise<void> {
    await late
      .get(question)
      ?.write()
      // Otherwise somebody was first, or the hub closes.
      .catch(
        ifRefused((error) => {
          if (isOfDisk(error)) throw error
        }),
      )
    forget(question)
  }

  /** Somebody waits for it again, or it has its end. */
  function forget(question: string) {
    late.get(question)?.alarm?.cancel()
    late.delete(question)
  }

  function close() {
    closed = true
    for (const { alarm } of late.values()) alarm?.cancel()
    late.clear()
  }
}
