import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { attempt } from '../../io/attempt.ts'
import { ignoring, isSystemError } from '../../io/system-error.ts'
import { LogUnavailable } from '../journal.ts'
import { SQLITE, sqliteCode } from './sqlite-error.ts'
import { createStore, SCHEMA, type Store, UPGRADES } from './sqlite-store.ts'

const APPLICATION_ID = 0x7061726c
const VERSION = 7
const PAGE_BYTES = 4096
const BUSY_LIMIT_MS = 500

type OpenFile = { db: DatabaseSync; store: Store }

/** Opens or creates the file for this thread alone. Throws `LogUnavailable`, having changed nothing. */
export function openStoreFile(path: string): OpenFile {
  try {
    if (path !== ':memory:') prepareFile(path)
    return openAlone(path)
  } catch (error) {
    throw unavailable(path, error)
  }
}

function prepareFile(path: string) {
  makeDirectory(dirname(path))
  const walBytes = size(`${path}-wal`)
  const bytes = size(path)
  // SQLite would throw away a write-ahead log beside an empty file, and take a cut last page for a page of zeros.
  const cut = walBytes > 0 ? bytes === 0 : bytes % PAGE_BYTES !== 0
  if (cut) throw new LogUnavailable('corrupt', `${path} is cut off or not a Parley log; it was left as it is`)
  // A file that exists is never opened: closing it again would drop the lock another hub of this process has on it.
  unlessExists(() => closeSync(openSync(path, 'wx', 0o600)))
}

// The `recursive` of mkdir never returns below /proc.
function makeDirectory(path: string) {
  if (existsSync(path)) return
  makeDirectory(dirname(path))
  unlessExists(() => mkdirSync(path, { mode: 0o700 }))
}

function unlessExists(create: () => void) {
  attempt(create, ignoring('EEXIST'))
}

function size(path: string) {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

// Two processes that try at once may both find the file busy; letting go and trying again lets one of them have it.
function openAlone(path: string): OpenFile {
  const deadline = Date.now() + BUSY_LIMIT_MS
  for (;;) {
    const db = new DatabaseSync(path)
    try {
      return openDatabase(db, path)
    } catch (error) {
      db.close()
      if (sqliteCode(error) !== SQLITE.BUSY || Date.now() > deadline) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 + Math.random() * 20)
    }
  }
}

function openDatabase(db: DatabaseSync, path: string): OpenFile {
  // Set before the first read, so that no shared-memory file is made and no other process gets in.
  db.exec(`
    PRAGMA page_size = ${PAGE_BYTES};
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA synchronous = FULL;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
    BEGIN IMMEDIATE;
  `)
  const applicationId = pragma(db, 'application_id')
  const version = pragma(db, 'user_version')
  const fresh = applicationId === 0 && db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
  if (fresh) db.exec(`${SCHEMA} PRAGMA application_id = ${APPLICATION_ID}`)
  else if (applicationId !== APPLICATION_ID) {
    throw new LogUnavailable('corrupt', `${path} is a database, but not one of Parley's`)
  } else if (version > VERSION) {
    throw new LogUnavailable('unwritable', `${path} was written by a newer Parley; this one would spoil it`)
  } else for (let from = version; from < VERSION; from++) db.exec(UPGRADES[from] ?? '')
  if (version !== VERSION) db.exec(`PRAGMA user_version = ${VERSION}`)
  // The store is made before the commit: a file that turns out to be damaged has not been upgraded then. [L22]
  const store = createStore(db)
  db.exec('COMMIT; PRAGMA journal_mode = WAL')
  return { db, store }
}

function pragma(db: DatabaseSync, name: string) {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name])
}

function unavailable(path: string, error: unknown) {
  const code = sqliteCode(error)
  const { message } = error as Error
  if (code === SQLITE.BUSY) return new LogUnavailable('in_use', `${path} is in use by another Parley`)
  if (code === SQLITE.CORRUPT || code === SQLITE.NOTADB || code === SQLITE.ERROR) {
    return new LogUnavailable('corrupt', `${path} is damaged or not a Parley log (${message}); it was left as it is`)
  }
  if (code !== undefined || isSystemError(error)) {
    return new LogUnavailable('unwritable', `${path} cannot be written (${message})`)
  }
  return error
}
