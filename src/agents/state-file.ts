import { randomUUID } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { attempt } from '../io/attempt.ts'
import { makeFolder } from '../io/disk/made-folder.ts'
import { isSystemError } from '../io/system-error.ts'
import { ParleyError } from '../protocol/errors.ts'

const FORMAT = 1
const SQLITE_BUSY = 5
const BUSY_LIMIT_MS = 2000

const SCHEMA = `
  CREATE TABLE resource_watermarks (uri TEXT PRIMARY KEY, last_id TEXT NOT NULL) STRICT;
  CREATE TABLE user_texts
    (id TEXT PRIMARY KEY, conversation TEXT NOT NULL, state TEXT NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE INDEX user_texts_to_give ON user_texts (conversation, id) WHERE state IN ('waiting', 'received');
  CREATE TABLE sessions (conversation TEXT PRIMARY KEY, agent_session TEXT, used_at INTEGER NOT NULL) STRICT;
  CREATE TABLE ui_state (conversation TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT;
  CREATE TABLE own (holder TEXT NOT NULL) STRICT;
`
/** Files of the same format that are older have it not. */
const PROMPTS =
  'CREATE TABLE IF NOT EXISTS prompts (conversation TEXT PRIMARY KEY, agent_session TEXT NOT NULL, count INTEGER NOT NULL) STRICT'

/** Sessions of the agent's own whose beginning people have not been told yet. */
const RESUMED = 'CREATE TABLE IF NOT EXISTS resumed (conversation TEXT PRIMARY KEY, agent_session TEXT NOT NULL) STRICT'

/** The file of what an orchestrator must not forget, open for this process alone. */
export function openStateFile(path: string): DatabaseSync {
  return attempt(
    () => {
      if (path !== ':memory:') makeFolder(dirname(path))
      const db = new DatabaseSync(path, { timeout: BUSY_LIMIT_MS })
      attempt(
        () => prepare(db, path),
        (error) => {
          db.close()
          throw error
        },
      )
      return db
    },
    (error) => {
      throw refused(path, error)
    },
  )
}

function prepare(db: DatabaseSync, path: string) {
  // Exclusive: two processes would give the same texts to two agents. The system lets go of it when a process dies.
  db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  db.exec('PRAGMA secure_delete = ON')
  db.exec('BEGIN IMMEDIATE')
  const format = Number(db.prepare('PRAGMA user_version').get()?.user_version)
  if (format === 0) {
    db.exec(SCHEMA)
    db.prepare('INSERT INTO own VALUES (?)').run(randomUUID())
    db.exec(`PRAGMA user_version = ${FORMAT}`)
  } else if (format !== FORMAT) throw new ParleyError('state_unusable', { path, reason: 'it is of a newer Parley' })
  db.exec(PROMPTS)
  db.exec(RESUMED)
  db.exec('COMMIT')
  if (path !== ':memory:') chmodSync(path, 0o600)
}

function refused(path: string, error: unknown): unknown {
  const { errcode, message } = error as { errcode?: number; message: string }
  if (errcode === SQLITE_BUSY) return new ParleyError('runner_runs', { path }, error)
  if (errcode === undefined && !isSystemError(error)) return error
  return new ParleyError('state_unusable', { path, reason: message }, error)
}
