import type { DatabaseSync } from 'node:sqlite'
import { prepareRows } from './sqlite-rows.ts'

/** A revision is a number that was never given before, also after its note was removed. */
export const NOTES = `
  CREATE TABLE note
    (revision INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, value TEXT NOT NULL) STRICT;
`

/** Notes were snapshots under names that begin with NUL, or with two, at no entry. */
export const NOTES_OF_BEFORE = `
  INSERT INTO note (name, value)
    SELECT CAST(substr(bytes, CASE WHEN substr(bytes, 2, 1) = x'00' THEN 3 ELSE 2 END) AS TEXT), state
      FROM (SELECT CAST(name AS BLOB) AS bytes, state FROM snapshot WHERE at = 0) WHERE substr(bytes, 1, 1) = x'00';
  DELETE FROM snapshot WHERE at = 0 AND substr(CAST(name AS BLOB), 1, 1) = x'00';
`

export type PutNote = { note: string; value: string; expected: number }
export type ForgetNotes = { forgetNotes: string[] }
export type NoteRow = [name: string, value: string, revision: number]

/** No name has it, so that all that begin with the same letters are before it. */
const BEHIND_ALL = '\u{10FFFF}'

export function createNotes(db: DatabaseSync) {
  const noteOf = prepareRows(db, 'SELECT name, value, revision FROM note WHERE name = ?')
  const notesOf = prepareRows(db, 'SELECT name, value, revision FROM note WHERE name >= ? AND name < ? ORDER BY name')
  const putNote = prepareRows(db, 'INSERT OR REPLACE INTO note (name, value) VALUES (?, ?)')
  const dropNotes = prepareRows(db, 'DELETE FROM note WHERE name >= ? AND name < ? RETURNING name')
  return { note, notes, put, forget }

  function note(name: string): NoteRow | undefined {
    return noteOf.get(name) as unknown as NoteRow | undefined
  }

  function notes(beginning: string): NoteRow[] {
    return notesOf.all(beginning, beginning + BEHIND_ALL) as unknown as NoteRow[]
  }

  function put({ note: name, value, expected }: PutNote): { revision: number } | 'conflict' {
    if ((note(name)?.[2] ?? 0) !== expected) return 'conflict'
    return { revision: Number(putNote.run(name, value).lastInsertRowid) }
  }

  /** The names of those that were there. */
  function forget(beginnings: string[]): string[] {
    return beginnings.flatMap((beginning) =>
      (dropNotes.all(beginning, beginning + BEHIND_ALL) as unknown as [string][]).map(([name]) => name),
    )
  }
}
