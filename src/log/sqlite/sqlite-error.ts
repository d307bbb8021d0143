export const SQLITE = {
  ERROR: 1,
  BUSY: 5,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  CONSTRAINT: 19,
  NOTADB: 26,
}

const FAILING = [SQLITE.IOERR, SQLITE.READONLY, SQLITE.CANTOPEN]

/** The primary result code of an error of SQLite; nothing for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
}

/** What the disk has to do with an error of SQLite, if anything. */
export function troubleIn(error: unknown): 'full' | 'failing' | undefined {
  const code = sqliteCode(error)
  if (code === SQLITE.FULL) return 'full'
  return code !== undefined && FAILING.includes(code) ? 'failing' : undefined
}

/** Makes something of an error of SQLite; every other one is thrown. */
export function ifOfSqlite<Other>(made: (error: unknown) => Other): (error: unknown) => Other {
  return (error) => {
    if (sqliteCode(error) === undefined) throw error
    return made(error)
  }
}
