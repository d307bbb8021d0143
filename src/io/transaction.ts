import type { DatabaseSync } from 'node:sqlite'

/** Returns a function that does all of some work on the database, or nothing of it; `failed` is called in that case. */
export function transactionsOf(db: DatabaseSync) {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  return inTransaction

  function inTransaction<Result>(work: () => Result, failed = () => {}): Result {
    begin.run()
    try {
      const result = work()
      commit.run()
      return result
    } catch (error) {
      failed()
      // SQLite may have rolled back by itself on a full disk.
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}
