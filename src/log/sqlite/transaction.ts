import type { DatabaseSync } from 'node:sqlite'

/** Does all of the work, or nothing of it. */
export function inTransaction(db: DatabaseSync, work: () => void) {
  try {
    db.exec('BEGIN IMMEDIATE')
    work()
    db.exec('COMMIT')
  } catch (error) {
    // SQLite may have rolled back by itself on a full disk.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
