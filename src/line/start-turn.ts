import { closeSync, openSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../io/attempt.ts'
import { ignoring, isSystemError } from '../io/system-error.ts'

/** A process that has not said for so long that it still waits for its hub has died. */
const LONGEST_TURN_MS = 3000
const SAY_MS = 1000
/** A hub that takes longer does not start, also on a busy machine. */
const MOST_SAID = 20

/**
 * Lets one of many processes start the hub, and gives it back how to end its turn. Saves work and no more: the hub's
 * own lock decides. Where nothing can be written everybody may.
 */
export function takeTurn(data: string): (() => void) | undefined {
  const path = join(data, 'hub.starting')
  try {
    const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs
    if (made !== undefined && Math.abs(Date.now() - made) > LONGEST_TURN_MS) rmSync(path, { force: true })
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return undefined
    if (!isSystemError(error)) throw error
    return () => {}
  }
  let said = 0
  const saying = setInterval(sayStill, SAY_MS).unref()
  process.once('exit', end)
  return end

  function sayStill() {
    if (++said > MOST_SAID) return clearInterval(saying)
    // This fails where somebody else has taken its turn.
    attempt(() => utimesSync(path, new Date(), new Date()), ignoring())
  }

  function end() {
    clearInterval(saying)
    process.off('exit', end)
    rmSync(path, { force: true })
  }
}
