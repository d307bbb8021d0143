import { existsSync, lstatSync, mkdirSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { attempt } from '../../io/attempt.ts'
import { ifSystemError, ignoring } from '../../io/system-error.ts'
import { unclear } from './formats/text-format.ts'

const LOCK = '.parley-lock'
const FOLDER = '.lock'
const LIMIT_MS = 20_000
const RETRY_MS = 20
/** A folder that its maker has not renewed for so long was left behind. */
const STALE_MS = 10_000

/** Lets one `parley connect` at a time at a file. Nothing of the lock is left, unless the process is killed. */
export async function alone<Result>(target: string, act: () => Promise<Result>): Promise<Result> {
  const path = target + LOCK
  // Fetched only where something changes.
  const { lockNow } = await import('../../files/file-lock.ts')
  const release = await soon(() => {
    attempt(() => writeFileSync(path, '', { flag: 'wx', mode: 0o600 }), ifSystemError(ifLocked))
    const inode = inodeOf(path)
    const release = attempt(() => lockNow(path), ifUnlockable)
    // Whoever had it before has removed it then: a lock on what is no longer there keeps nobody out.
    if (inode !== undefined && inode === inodeOf(path)) return release
    release?.()
    return undefined
  })
  try {
    return await act()
  } finally {
    attempt(() => unlinkSync(path), ignoring())
    release()
    // Windows removes no file that is open, and so none that the next one has locked.
    if (process.platform === 'win32') attempt(() => unlinkSync(path), ignoring())
  }
}

export function isLockLeft(target: string): boolean {
  return existsSync(target + LOCK)
}

/** The way of programs that make a folder beside the file while they change it. */
export async function aloneByFolder<Result>(target: string, act: () => Promise<Result>): Promise<Result> {
  const folder = target + FOLDER
  await soon(() => attempt(made, ifSystemError(ifTaken, 'EEXIST')))
  try {
    return await act()
  } finally {
    attempt(() => rmdirSync(folder), ignoring())
  }

  function made() {
    mkdirSync(folder)
    return true
  }

  function ifTaken() {
    const { mtimeMs = Date.now() } = statSync(folder, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > STALE_MS) attempt(() => rmdirSync(folder), ignoring())
    return undefined
  }
}

/** Tries until there is something, for a while. */
async function soon<Result>(look: () => Result | undefined): Promise<Result> {
  const deadline = performance.now() + LIMIT_MS
  for (;;) {
    const found = look()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw unclear('is being changed by somebody else')
    await pause(RETRY_MS * (0.5 + Math.random()))
  }
}

/** Whoever made a project may have put a link there, to a file of this user that would be made or locked. */
function inodeOf(path: string): bigint | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  if (stats && !stats.isFile()) throw unclear(`cannot be locked, as ${path} is not a file; remove it`)
  return stats?.ino
}

function ifLocked({ code }: NodeJS.ErrnoException) {
  if (code !== 'EEXIST') throw unclear(`cannot be written (${code})`)
}

/** The system refused the file, or the lock on it. */
function ifUnlockable(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) throw error
  throw unclear(`cannot be locked (${code === 'ERR_SQLITE_ERROR' ? message : code})`)
}
