import type { DatabaseSync } from 'node:sqlite'

type End = { number: number; last: number }
type LastEntry = [conversation: string, last: number]

// Bounds what is read to find the ends again, and what a page of conversations has to merge.
const WRITE_BACK_ENTRIES = 250

/**
 * Where each conversation ends. Written with every append it would double the pages of a commit (108 µs instead of
 * 83), so it is written back now and then, always for all conversations at once: then every entry up to the newest
 * end in the file is accounted for, and those after it tell the rest. [L14]
 */
export function createEnds(db: DatabaseSync) {
  const endOf = prepare('SELECT number, last FROM conversation WHERE name = ?')
  const add = prepare('INSERT INTO conversation (name, last) VALUES (?, 0)')
  const write = prepare('UPDATE conversation SET last = ? WHERE number = ?')
  const newestWritten = prepare('SELECT name, last FROM conversation WHERE last < ? ORDER BY last DESC LIMIT ?')
  const entriesAfterWritten = prepare(
    `SELECT name, number, id FROM entry CROSS JOIN conversation ON number = entry.conversation
     WHERE id > (SELECT coalesce(max(last), 0) FROM conversation) ORDER BY id`,
  )
  let unwritten = new Map<string, End>()
  let entries = 0
  reload()

  return { of, begin, move, writeBack, newest, reload }

  function of(conversation: string): End | undefined {
    const known = unwritten.get(conversation)
    if (known) return known
    const row = endOf.get(conversation) as unknown as [number, number] | undefined
    return row && { number: row[0], last: row[1] }
  }

  function begin(conversation: string): End {
    return { number: Number(add.run(conversation).lastInsertRowid), last: 0 }
  }

  function move(conversation: string, number: number, last: number) {
    unwritten.set(conversation, { number, last })
    entries += 1
  }

  /** Within the transaction whose entries made it necessary. */
  function writeBack() {
    if (entries < WRITE_BACK_ENTRIES) return
    for (const { number, last } of unwritten.values()) write.run(last, number)
    unwritten.clear()
    entries = 0
  }

  function newest(before: number, limit: number) {
    const written = newestWritten.all(before, limit + unwritten.size) as unknown as LastEntry[]
    const moved = Array.from(unwritten, ([name, { last }]): LastEntry => [name, last])
    return [...moved.filter(([, last]) => last < before), ...written.filter(([name]) => !unwritten.has(name))]
      .sort(([, a], [, b]) => b - a)
      .slice(0, limit)
  }

  /** From the file: when it is opened, and when a transaction failed. */
  function reload() {
    const rows = entriesAfterWritten.all() as unknown as [name: string, number: number, id: number][]
    unwritten = new Map(rows.map(([name, number, last]) => [name, { number, last }]))
    entries = rows.length
  }

  function prepare(sql: string) {
    const statement = db.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }
}
