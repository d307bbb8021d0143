import { existsSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ParleyError } from '../protocol/errors.ts'

/** Makes the data folder, for nobody but its owner; one that is there must be so. */
export function makeDataFolder(data: string) {
  try {
    make(data)
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    const reason = `${join(data, 'parley.db')} cannot be written (${message})`
    throw new ParleyError('data_unwritable', { reason }, error)
  }
  mustBeOurs(data)
}

/**
 * Whoever can write in it, or put another folder in its place, would be the hub. Names in a folder with the sticky bit,
 * as /tmp, are their owners'. Root may use any: it owns what it uses, and in containers folders are often another's.
 */
export function mustBeOurs(data: string) {
  const uid = process.getuid?.()
  const folder = existsSync(data) ? realpathSync(data) : undefined
  if (uid === undefined || folder === undefined) return
  const { uid: owner, mode } = statSync(folder)
  if (uid !== 0 && owner !== uid && owner !== 0) throw new ParleyError('data_foreign', { data })
  if ((mode & OTHERS_WRITE) !== 0) throw new ParleyError('data_shared', { folder })
  for (let above = folder; above !== dirname(above); ) {
    above = dirname(above)
    if ((statSync(above).mode & (ALL_WRITE | STICKY)) === ALL_WRITE)
      throw new ParleyError('data_shared', { folder: above })
  }
}

/** Which file it is, whatever its name; nothing where there is none. */
export function identityOf(path: string): string | undefined {
  const file = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return file && `${file.dev}-${file.ino}`
}

const OTHERS_WRITE = 0o022
const ALL_WRITE = 0o002
const STICKY = 0o1000

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
