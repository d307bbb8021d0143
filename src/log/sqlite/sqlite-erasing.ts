import type { DatabaseSync } from 'node:sqlite'
import { transactionsOf } from '../../io/transaction.ts'
import { isDamage } from '../search/sqlite-indexing.ts'
import type { Row, SearchIndex } from '../search/sqlite-search.ts'
import { prepareRows } from './sqlite-rows.ts'

const PIECE_ENTRIES = 64
const PIECE_LETTERS = 64 * 1024
/** Small tables whose rows change and so move within the file: written anew, no page of before is left of them. */
const REWRITTEN = ['conversation', 'snapshot', 'note']

/**
 * Erases what was forgotten, a piece at a time, so that no append waits long. With `secure_delete` SQLite overwrites what
 * it deletes, but not what it copied when it moved a row to another page. So no row of `entry` is ever deleted: emptied,
 * it stays where it is and makes no other one move. The write-ahead log, which has pages of before, is emptied last. A
 * crash leaves the conversation noted as forgotten, and the next to open the file goes on.
 */
export function createErasing(db: DatabaseSync, index: SearchIndex | undefined) {
  const inTransaction = transactionsOf(db)
  const next = prepareRows(db, 'SELECT number FROM forgotten ORDER BY number LIMIT 1')
  const done = prepareRows(db, 'DELETE FROM forgotten WHERE number = ?')
  const entriesOf = prepareRows(
    db,
    `SELECT id, conversation, body FROM entry WHERE conversation = ? ORDER BY id LIMIT ${PIECE_ENTRIES}`,
  )
  const empty = prepareRows(db, "UPDATE entry SET conversation = 0, key = NULL, body = '' WHERE id = ?")
  const dropNames = prepareRows(db, 'DELETE FROM entry_name WHERE conversation = ?')
  let merging = false
  return { erase }

  /** Does one piece, and says whether there may be more. */
  function erase(): boolean {
    const [number] = (next.get() ?? []) as unknown as [number?]
    if (number === undefined) return false
    const piece = pieceOf(number)
    if (piece.length > 0) emptyAll(piece)
    // The first one begins it, and so does the first one after something else.
    merging = piece.length === 0 && (index?.merge(!merging) ?? false)
    if (piece.length === 0 && !merging) {
      const hadNames = dropNames.run(number).changes > 0
      for (const table of hadNames ? [...REWRITTEN, 'entry_name'] : REWRITTEN) rewrite(table)
      // The WAL is emptied before the note of it is gone: after a crash in between, it is done again.
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      done.run(number)
    }
    return true
  }

  function pieceOf(number: number): Row[] {
    const piece: Row[] = []
    let letters = 0
    for (const row of entriesOf.iterate(number) as Iterable<unknown>) {
      piece.push(row as Row)
      letters += (row as Row)[2].length
      if (letters > PIECE_LETTERS) break
    }
    return piece
  }

  function emptyAll(piece: Row[]) {
    try {
      // This is outside the transaction: the index may have to be made first.
      const crossOut = index?.crossingOut(piece)
      inTransaction(() => {
        crossOut?.()
        for (const [id] of piece) empty.run(id)
      })
    } catch (error) {
      if (!index || !isDamage(error)) throw error
      // A new one has nothing of it.
      index.remake()
    }
  }

  function rewrite(table: string) {
    inTransaction(() =>
      db.exec(`
        CREATE TEMP TABLE kept AS SELECT * FROM ${table};
        DELETE FROM ${table};
        INSERT INTO ${table} SELECT * FROM kept;
        DROP TABLE kept;
      `),
    )
  }
}
