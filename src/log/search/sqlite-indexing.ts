import { attempt } from '../../io/attempt.ts'
import { uptimeMs } from '../../io/clock.ts'
import { ifOfSqlite, SQLITE, sqliteCode } from '../sqlite/sqlite-error.ts'
import type { SearchIndex } from './sqlite-search.ts'

// A log that was left alone for so long is not just between two commits of somebody who waits for them.
const QUIET_MS = 25
// One that never rests has its index grow too, for a small share of the time.
const PATIENCE_MS = 500
const RETRY_MS = 30_000

const DAMAGE: number[] = [SQLITE.ERROR, SQLITE.CORRUPT, SQLITE.CONSTRAINT]

/** Fills the index whenever the log has nothing else to do, a few entries at a time. */
export function startIndexing(index: SearchIndex) {
  let calledAt = 0
  let steppedAt = 0
  let timer: NodeJS.Timeout | undefined = setTimeout(look, QUIET_MS)
  return { called, close: () => clearTimeout(timer) }

  /** The log was asked for something, and may have grown by it. */
  function called() {
    calledAt = uptimeMs()
    timer ??= setTimeout(look, QUIET_MS)
  }

  function look() {
    const now = uptimeMs()
    const busy = now - calledAt < QUIET_MS
    if (busy && now - steppedAt < PATIENCE_MS) {
      timer = setTimeout(look, QUIET_MS)
      return
    }
    const next = step()
    steppedAt = uptimeMs()
    timer = next === undefined ? undefined : setTimeout(look, next)
  }

  /**
   * Does one step and answers when to do the next one, if there is more. The log must go on whatever the database has
   * against the index.
   */
  function step(): number | undefined {
    const again = (error: unknown) => (isDamage(error) ? remake() : RETRY_MS)
    return attempt(() => (index.step() ? 0 : undefined), ifOfSqlite(again))
  }

  function remake(): number {
    const made = () => {
      index.remake()
      return 0
    }
    return attempt(
      made,
      ifOfSqlite(() => RETRY_MS),
    )
  }
}

/** Whether it is damage, as opposed to a full disk, say, where making the index anew would not help. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error)
  return code !== undefined && DAMAGE.includes(code)
}
