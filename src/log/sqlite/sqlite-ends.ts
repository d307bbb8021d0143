import type { DatabaseSync } from 'node:sqlite'
import { prepareRows } from './sqlite-rows.ts'

type End = { number: number; last: number }
/** Ends that are not written back, and how many entries made them. */
type Moved = { ends: Map<string, End>; entries: number }
type LastEntry = [conversation: string, last: number]

// Bounds what is read to find the ends again, and what a page of conversations has to merge.
const WRITE_BACK_ENTRIES = 250

/**
 * The end of each conversation. Written with every append it would double the pages of a commit (108 µs instead of 83),
 * so it is written back now and then, always for all conversations at once: then every entry up to the newest end in
 * the file is accounted for, and those after it tell the rest. [L14]
 */
export function createEnds(db: DatabaseSync) {
  const endOf = prepareRows(db, 'SELECT number, last FROM conversation WHERE name = ?')
  // The number is never that of one that is being erased: its entries would be seen again.
  const add = prepareRows(
    db,
    `INSERT INTO conversation (number, name, last) VALUES (1 + max(
       (SELECT coalesce(max(number), 0) FROM conversation), (SELECT coalesce(max(number), 0) FROM forgotten)), ?, 0)`,
  )
  const write = prepareRows(db, 'UPDATE conversation SET last = ? WHERE number = ?')
  const newestWritten = prepareRows(db, 'SELECT name, last FROM conversation WHERE last < ? ORDER BY last DESC LIMIT ?')
  const entriesAfterWritten = prepareRows(
    db,
    `SELECT name, number, id FROM entry CROSS JOIN conversation ON number = entry.conversation
     WHERE id > (SELECT coalesce(max(last), 0) FROM conversation) ORDER BY id`,
  )
  let found: Moved | undefined = findMoved()

  return { of, begin, move, drop, writeBack, newest, forget }

  function of(conversation: string): End | undefined {
    const known = unwritten().ends.get(conversation)
    if (known) return known
    const row = endOf.get(conversation) as unknown as [number, number] | undefined
    return row && { number: row[0], last: row[1] }
  }

  function begin(conversation: string): End {
    return { number: Number(add.run(conversation).lastInsertRowid), last: 0 }
  }

  function move(conversation: string, number: number, last: number) {
    const moved = unwritten()
    moved.ends.set(conversation, { number, last })
    moved.entries += 1
  }

  function drop(conversation: string) {
    unwritten().ends.delete(conversation)
  }

  /** Writes within the transaction whose entries made it necessary. */
  function writeBack() {
    const { ends, entries } = unwritten()
    if (entries < WRITE_BACK_ENTRIES) return
    for (const { number, last } of ends.values()) write.run(last, number)
    found = { ends: new Map(), entries: 0 }
  }

  function newest(before: number, limit: number) {
    const { ends } = unwritten()
    const written = newestWritten.all(before, limit + ends.size) as unknown as LastEntry[]
    const since = Array.from(ends, ([name, { last }]): LastEntry => [name, last])
    return [...since.filter(([, last]) => last < before), ...written.filter(([name]) => !ends.has(name))]
      .sort(([, a], [, b]) => b - a)
      .slice(0, limit)
  }

  /**
   * Called when a transaction failed. Reading may fail as well just then, so that it is left to whoever needs it next.
   */
  function forget() {
    found = undefined
  }

  function unwritten(): Moved {
    found ??= findMoved()
    return found
  }

  function findMoved(): Moved {
    const rows = entriesAfterWritten.all() as unknown as [name: string, number: number, id: number][]
    return { ends: new Map(rows.map(([name, number, last]) => [name, { number, last }])), entries: rows.length }
  }
}
