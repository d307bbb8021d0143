import type { DatabaseSync } from 'node:sqlite'

/** Does all of the work, or nothing of it. */
export function inTransaction(db: DatabaseSync, work: () => void) {
  try {
    db.exec('BEGIN IMMEDIATE')
    work()
    db.exec('COMMIT')
  } catch (error) {
    // On a full disk SQLite may have rolled back by itself.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
