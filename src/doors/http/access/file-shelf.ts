import { type BigIntStats, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod/mini'
import { lockFile } from '../../../files/file-lock.ts'
import { attempt } from '../../../io/attempt.ts'
import { makeFolder } from '../../../io/disk/made-folder.ts'
import { ifError } from '../../../io/if-error.ts'
import { createQueue } from '../../../io/queue.ts'
import { replaceFile } from '../../../io/replaced-file.ts'
import { isSystemError } from '../../../io/system-error.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { unwritable } from '../../../protocol/refusal.ts'
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
    return changes.add(() => changeAlone(update, deadline).catch(ifOfSystem(unwritable(path))))
  }

  /** Only who has the lock writes it. */
  async function changeAlone(update: (entries: TokenEntry[]) => TokenEntry[], deadline: number) {
    makeFolder(dirname(path))
    const lock = await lockFile(`${path}.lock`, deadline)
    try {
      replaceFile(path, `${JSON.stringify(update(read()), null, 2)}\n`)
    } finally {
      lock.release()
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
  const isDamaged = (error: Error) => {
    throw damaged(path, error.message, error)
  }
  return attempt(
    () => attempt(() => JSON.parse(readFileSync(path, 'utf8')), ifError(SyntaxError, isDamaged)),
    ifOfSystem(isDamaged),
  )
}

function damaged(path: string, reason: string, cause: unknown): ParleyError {
  return new ParleyError('tokens_damaged', { path, reason }, cause)
}

/** Makes something of an error of the file system, or of SQLite where it meets the file system. */
function ifOfSystem<Other>(made: (error: Error) => Other): (error: unknown) => Other {
  return (error) => {
    if (isSystemError(error) || (error instanceof Error && 'errcode' in error)) return made(error)
    throw error
  }
}
