import {
  type BigIntStats,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod/mini'
import { ParleyError } from '../protocol/errors.ts'
import { type Shelf, TokenEntry } from './token-entry.ts'

// A process that was killed while it wrote leaves its half behind; a write takes milliseconds.
const LEFT_BEHIND_MS = 5000
const RETRY_MS = 5

const Entries = z.array(TokenEntry, 'must be a list')

/** `tokens.json`, shared by a running hub and the command line. Refuses to open a damaged one. */
export function fileShelf(path: string): Shelf {
  let seen: { stats?: BigIntStats; entries: TokenEntry[] } = { entries: [] }
  read()
  return { read, change }

  /** One stat for each look-up, so that what another process changed counts at once. */
  function read(): TokenEntry[] {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (!isSame(stats, seen.stats)) seen = { stats, entries: stats ? load(path) : [] }
    return seen.entries
  }

  /** The new file is the lock as well: who has made it may read, change and rename it into place. */
  function change(update: (entries: TokenEntry[]) => TokenEntry[]) {
    const next = `${path}.new`
    const file = writable(path, () => openAlone(next))
    try {
      writeFileSync(file, `${JSON.stringify(update(read()), null, 2)}\n`)
      fsyncSync(file)
      renameSync(next, path)
    } catch (error) {
      rmSync(next, { force: true })
      throw error
    } finally {
      closeSync(file)
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
  const text = readFileSync(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw damaged(path, (error as Error).message, error)
  }
}

function damaged(path: string, reason: string, cause: unknown): ParleyError {
  return new ParleyError('tokens_damaged', { path, reason }, cause)
}

function openAlone(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  for (;;) {
    try {
      return openSync(path, 'wx', 0o600)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const stats = statSync(path, { throwIfNoEntry: false })
      if (stats && Date.now() - stats.mtimeMs > LEFT_BEHIND_MS) rmSync(path, { force: true })
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}

function writable<Result>(path: string, open: () => Result): Result {
  try {
    return open()
  } catch (error) {
    throw new ParleyError(
      'data_unwritable',
      { reason: `${path} cannot be written (${(error as Error).message})` },
      error,
    )
  }
}
