import { closeSync, existsSync, openSync } from 'node:fs'
import { access, constants, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { ignoring } from '../io/system-error.ts'
import { ParleyError } from '../protocol/errors.ts'

const RETRY_MS = 10
const SQLITE_BUSY = 5

/**
 * One holder at a time, among all processes and within this one; whoever waits holds up nobody. The lock is the
 * system's, which takes it back from a process that ends, however it ends: a file that was left behind locks nothing,
 * and nobody has to guess whether its maker is still alive. Node itself has no such locks; SQLite has, and writes
 * nothing here.
 */
export async function lockFile(path: string, deadline: number): Promise<{ release(): void }> {
  await makeFile(path)
  for (;;) {
    const release = tryLock(path)
    if (release) return { release }
    if (performance.now() > deadline) throw new ParleyError('tokens_busy', { path })
    await pause(RETRY_MS * (0.5 + Math.random()))
  }
}

/** The lock, if nobody has it. */
export function lockNow(path: string): (() => void) | undefined {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  return tryLock(path)
}

async function makeFile(path: string) {
  // A file that exists is never opened: closing it again would drop the lock that another part of this process has.
  await writeFile(path, '', { flag: 'wx', mode: 0o600 }).catch(ignoring('EEXIST'))
  // A file that may only be read would be opened as such, and its lock would keep nobody out.
  await access(path, constants.R_OK | constants.W_OK)
}

/** Closing the database gives the lock back. */
function tryLock(path: string): (() => void) | undefined {
  const db = new DatabaseSync(path, { timeout: 0 })
  try {
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return () => db.close()
  } catch (error) {
    db.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    return undefined
  }
}
