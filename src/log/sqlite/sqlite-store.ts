import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { transactionsOf } from '../../io/transaction.ts'
import type { StoredDraft } from '../stored-text.ts'
import { roomInPage } from '../views.ts'
import { createEnds } from './sqlite-ends.ts'
import { createForgetting, FORGETTING, type Forget } from './sqlite-forgetting.ts'
import { createNames, NAMES, NAMES_OF_BEFORE } from './sqlite-names.ts'
import { createNotes, type ForgetNotes, NOTES, NOTES_OF_BEFORE, type PutNote } from './sqlite-notes.ts'
import { prepareRows } from './sqlite-rows.ts'

/** Ids are numbers here: they begin at the microseconds of their time, which fit a double until the year 2255. */
export type Row = [id: number, conversation: string, key: string | null, body: string, at: number]
export type Write = Append | PutSnapshot | Forget | PutNote | ForgetNotes
export type Append = { conversation: string; expectedLast: number; drafts: StoredDraft[] }
type PutSnapshot = { name: string; format: number; at: number; state: string }
/** One time for all that a commit appends. */
export type Committed = { at: number; outcomes: Outcome[] }
/**
 * Of an append, the id of each draft, or the entry that holds its key already; of a note, its revision; of what is
 * forgotten, the names of the notes that are gone.
 */
export type Outcome = Placements | { revision: number } | { gone: string[] } | 'conflict'
export type Placements = (number | Row)[]
/** `full`: their bytes ended the page. */
export type Rows = { rows: Row[]; full: boolean }
export type Range = { conversation?: string; after: number; before: number; limit: number; newest: boolean }
export type Store = ReturnType<typeof createStore>

const ENTRY = `
  CREATE TABLE entry
    (id INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, key TEXT, body TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
`
const ENTRY_INDEXES = `
  CREATE INDEX entry_by_conversation ON entry (conversation);
  CREATE UNIQUE INDEX entry_by_key ON entry (conversation, key) WHERE key IS NOT NULL;
`

/** Entries by their id, a conversation's entries and its end, and who holds a key: each one walk down one tree. */
export const SCHEMA = `
  CREATE TABLE conversation (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, last INTEGER NOT NULL) STRICT;
  CREATE INDEX conversation_by_last ON conversation (last);
  ${ENTRY}
  ${ENTRY_INDEXES}
  CREATE TABLE snapshot
    (name TEXT PRIMARY KEY, at INTEGER NOT NULL, state TEXT NOT NULL, format INTEGER NOT NULL) STRICT;
  ${FORGETTING}
  ${NAMES}
  ${NOTES}
`

/** Upgrades by the version that they are for. */
export const UPGRADES: Record<number, string> = {
  // Its snapshots had no format: theirs is 0, which leaves the numbers from 1 on to their makers.
  1: `
    ALTER TABLE snapshot RENAME COLUMN conversation TO name;
    ALTER TABLE snapshot ADD COLUMN format INTEGER NOT NULL DEFAULT 0;
  `,
  2: FORGETTING,
  3: 'ALTER TABLE entry ADD COLUMN at INTEGER',
  4: `${NAMES} ${NAMES_OF_BEFORE}`,
  5: `${NOTES} ${NOTES_OF_BEFORE}`,
  // Its ids told the time of most entries. They are copied, as rows that grow where they are move to other pages, which
  // keep their words when they are forgotten. [L45]
  6: `
    ALTER TABLE entry RENAME TO entry_of_before;
    ${ENTRY}
    INSERT INTO entry
      SELECT id, conversation, key, body, coalesce(at, id / 1000) FROM entry_of_before ORDER BY id;
    DROP TABLE entry_of_before;
    ${ENTRY_INDEXES}
  `,
}

/** The statements of the log on a database that has the schema. Bodies and states pass through as JSON text. */
export function createStore(db: DatabaseSync) {
  const inTransaction = transactionsOf(db)
  const addEntry = prepare(
    `INSERT INTO entry (id, conversation, key, body, at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (conversation, key) WHERE key IS NOT NULL DO NOTHING`,
  )
  const putSnapshot = prepare(
    `INSERT INTO snapshot (name, format, at, state) VALUES (?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET format = excluded.format, at = excluded.at, state = excluded.state
     WHERE (excluded.format, excluded.at) >= (format, at)`,
  )
  const entryWithKey = entries('conversation = (SELECT number FROM conversation WHERE name = ?) AND key = ?')
  const pages = {
    all: { ASC: page('', 'ASC'), DESC: page('', 'DESC') },
    one: {
      ASC: page('conversation = (SELECT number FROM conversation WHERE name = ?) AND ', 'ASC'),
      DESC: page('conversation = (SELECT number FROM conversation WHERE name = ?) AND ', 'DESC'),
    },
  }
  const snapshotOf = prepare('SELECT at, state FROM snapshot WHERE name = ? AND format = ?')
  const ends = createEnds(db)
  const notes = createNotes(db)
  const forgetting = createForgetting(db, ends, notes)
  const { forgottenTo } = forgetting
  const names = createNames(db)
  let lastId = forgetting.greatestId()

  return {
    commit,
    read,
    find,
    forgottenTo,
    named: names.named,
    conversations: ends.newest,
    snapshot,
    note: notes.note,
    notes: notes.notes,
    last,
    close,
  }

  /** All writes in one transaction; a stale append is left out and disturbs no other. */
  function commit(writes: Write[]): Committed {
    const at = Date.now()
    const writeAll = () => {
      const outcomes = writes.map((write) => carryOut(write, at))
      ends.writeBack()
      return { at, outcomes }
    }
    return inTransaction(writeAll, ends.forget)
  }

  function carryOut(write: Write, at: number): Outcome {
    if ('drafts' in write) return append(write, at)
    if ('name' in write) return put(write)
    if ('note' in write) return notes.put(write)
    if ('forgetNotes' in write) return { gone: notes.forget(write.forgetNotes) }
    const gone = forgetting.forget(write, lastId)
    return gone === 'conflict' ? gone : { gone }
  }

  function append({ conversation, expectedLast, drafts }: Append, at: number): Placements | 'conflict' {
    const known = ends.of(conversation)
    if ((known?.last ?? 0) !== expectedLast) {
      const held = drafts.map(([key]) => (key === undefined ? undefined : find(conversation, key)))
      return held.every((row) => row !== undefined) ? held : 'conflict'
    }
    const end = known ?? ends.begin(conversation)
    return drafts.map(([key, body, own = []]) => {
      if (!addUnlessHeld(end.number, key, body, at)) return held(conversation, key)
      names.add(own, end.number)
      ends.move(conversation, end.number, lastId)
      return lastId
    })
  }

  /** Ids only grow, also after a clock was ahead for a while. */
  function addUnlessHeld(conversation: number, key: string | undefined, body: string, at: number): boolean {
    const id = Math.max(at * 1000, lastId + 1)
    if (addEntry.run(id, conversation, key ?? null, body, at).changes === 0) return false
    lastId = id
    return true
  }

  function held(conversation: string, key = ''): Row {
    const row = find(conversation, key)
    if (!row) throw new Error(`The log refused the key ${key} but does not hold it`)
    return row
  }

  function put({ name, format, at, state }: PutSnapshot): Placements {
    putSnapshot.run(name, format, at, state)
    return []
  }

  function read({ conversation, after, before, limit, newest }: Range): Rows {
    const direction = newest ? 'DESC' : 'ASC'
    const bounds: SQLInputValue[] = [after, before, limit]
    const found =
      conversation === undefined
        ? pages.all[direction].iterate(...bounds)
        : pages.one[direction].iterate(conversation, ...bounds)
    const rows: Row[] = []
    const fits = roomInPage()
    let full = false
    for (const row of found as Iterable<unknown> as Iterable<Row>) {
      full = !fits(row[3])
      if (full) break
      rows.push(row)
    }
    return { rows: newest ? rows.reverse() : rows, full }
  }

  function find(conversation: string, key: string) {
    return entryWithKey.get(conversation, key) as unknown as Row | undefined
  }

  function snapshot(name: string, format: number) {
    return snapshotOf.get(name, format) as unknown as [at: number, state: string] | undefined
  }

  function last(): number {
    return ends.newest(Number.MAX_SAFE_INTEGER, 1)[0]?.[1] ?? 0
  }

  function close() {
    db.close()
  }

  function page(where: string, direction: 'ASC' | 'DESC') {
    return entries(`${where} id > ? AND id < ? ORDER BY id ${direction} LIMIT ?`)
  }

  // The cross join keeps SQLite walking the entries in order, whatever it thinks of the table sizes.
  function entries(where: string) {
    return prepare(
      `SELECT id, name, key, body, at FROM entry CROSS JOIN conversation ON number = entry.conversation WHERE ${where}`,
    )
  }

  function prepare(sql: string) {
    return prepareRows(db, sql)
  }
}
