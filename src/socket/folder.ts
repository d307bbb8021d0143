import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ParleyError } from '../protocol/errors.ts'

/** Makes the data folder, for nobody but its owner. */
export function makeDataFolder(data: string) {
  try {
    make(data)
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    const reason = `${join(data, 'parley.db')} cannot be written (${message})`
    throw new ParleyError('data_unwritable', { reason }, error)
  }
}

// Not mkdir's own `recursive`: below /proc it never returns.
function make(path: string) {
  if (existsSync(path)) return
  make(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Somebody else was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
