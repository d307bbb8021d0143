import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A hub that takes longer has died, or its starter has. */
const LONGEST_TURN_MS = 3000

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
    const { code, syscall } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return undefined
    if (syscall === undefined) throw error
    return () => {}
  }
  process.once('exit', end)
  return end

  function end() {
    process.off('exit', end)
    rmSync(path, { force: true })
  }
}
