import { type BigIntStats, readFileSync, statSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as z from 'zod/mini'
import { lockFile } from '../../../files/file-lock.ts'
import { createQueue } from '../../../io/queue.ts'
import { isSystemError } from '../../../io/system-error.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { type Shelf, TokenEntry } from './token-entry.ts'

// A change takes milliseconds; a process that takes longer is frozen, and only somebody else can help it.
const PATIENCE_MS = 10_000

const Entries = z.array(TokenEntry, 'must be a list')

/** `tokens.json`, shared by a running hub and the command line. Refuses to open a damaged one. */
export function fileShelf(path: string): Shelf {
  let seen: { stats?: BigIntStats; entries: TokenEntry[] } = { entries: [] }
  const changes = createQueue()
  read()
  return { read, change }

  /** One stat for each look-up, so that what another process changed counts at once. */
  function read(): TokenEntry[] {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (!isSame(stats, seen.stats)) seen = { stats, entries: stats ? load(path) : [] }
    return seen.entries
  }

  function change(update: (entries: TokenEntry[]) => TokenEntry[]): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS
    return changes.add(() => changeAlone(update, deadline))
  }

  async function changeAlone(update: (entries: TokenEntry[]) => TokenEntry[], deadline: number) {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const lock = await lockFile(`${path}.lock`, deadline)
      try {
        await replace(path, `${JSON.stringify(update(read()), null, 2)}\n`)
      } finally {
        lock.release()
      }
    } catch (error) {
      if (!isOfSystem(error)) throw error
      throw new ParleyError('data_unwritable', { reason: `${path} cannot be written (${error.message})` }, error)
    }
  }
}

/** Times are too coarse on some file systems to tell two quick changes apart, but a rename brings another file. */
function isSame(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  return one?.ino === other?.ino && one?.size === other?.size && one?.ctimeNs === other?.ctimeNs
}

function load(path: string): TokenEntry[] {
  const { data, error } = Entries.safeParse(jsonIn(path))
  if (data) return data
  const [issue] = error.issues
  throw damaged(path, `${issue?.path.join('.')} ${issue?.message}`.trim(), error)
}

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (!(error instanceof SyntaxError) && !isOfSystem(error)) throw error
    throw damaged(path, error.message, error)
  }
}

function damaged(path: string, reason: string, cause: unknown): ParleyError {
  return new ParleyError('tokens_damaged', { path, reason }, cause)
}

/** Whole or not at all. Only for whoever has the lock: what is there already was left by somebody who was killed. */
async function replace(path: string, text: string) {
  const next = `${path}.new`
  await rm(next, { force: true })
  try {
    await writeFile(next, text, { flag: 'wx', mode: 0o600, flush: true })
    await rename(next, path)
  } finally {
    await rm(next, { force: true })
  }
}

/** The error comes from the file system, or from SQLite where it meets the file system. */
function isOfSystem(error: unknown): error is Error {
  return isSystemError(error) || (error instanceof Error && 'errcode' in error)
}
