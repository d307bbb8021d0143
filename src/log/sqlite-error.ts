export const SQLITE = { ERROR: 1, BUSY: 5, CORRUPT: 11, CONSTRAINT: 19, NOTADB: 26 }

/** The primary result code of an error of SQLite; nothing for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
}
