import type { DatabaseSync } from 'node:sqlite'
import { prepareRows } from './sqlite-rows.ts'

/** The conversations that have an entry with a name. Names of a forgotten one lead nowhere, and are erased with it. */
export const NAMES = `
  CREATE TABLE entry_name (name TEXT NOT NULL, conversation INTEGER NOT NULL, PRIMARY KEY (name, conversation))
    STRICT, WITHOUT ROWID;
  CREATE INDEX entry_name_by_conversation ON entry_name (conversation);
`

const BODY = "CASE WHEN json_valid(body) THEN body ELSE '{}' END"

/** Those of entries of before, whose bodies were a chat's: the files that they name. */
export const NAMES_OF_BEFORE = `
  INSERT OR IGNORE INTO entry_name
    SELECT found, conversation FROM (
      SELECT json_extract(${BODY}, file.fullkey || '.hash') AS found, conversation
        FROM entry CROSS JOIN json_each(${BODY}, '$.attachments') AS file
      UNION ALL SELECT json_extract(${BODY}, '$.args_file'), conversation FROM entry
      UNION ALL SELECT json_extract(${BODY}, '$.whole_file'), conversation FROM entry
    ) WHERE typeof(found) = 'text' AND conversation <> 0;
`

/** Finds whether any entry has a name, by walking down one tree. */
export function createNames(db: DatabaseSync) {
  const addName = prepareRows(db, 'INSERT OR IGNORE INTO entry_name VALUES (?, ?)')
  const anywhere = prepareRows(
    db,
    `SELECT 1 FROM entry_name JOIN conversation ON number = conversation WHERE entry_name.name = ? LIMIT 1`,
  )
  const there = prepareRows(
    db,
    'SELECT 1 FROM entry_name WHERE name = ? AND conversation = (SELECT number FROM conversation WHERE name = ?)',
  )
  return { add, named }

  function add(names: string[], conversation: number) {
    for (const name of names) addName.run(name, conversation)
  }

  function named(names: string[], conversation?: string): string[] {
    return names.filter((name) => (conversation === undefined ? anywhere.get(name) : there.get(name, conversation)))
  }
}
