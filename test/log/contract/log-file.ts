import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { placeTest } from './place.ts'

/** A test of a log that lives in one file; nobody has made it yet. */
export const test = placeTest.extend<{ path: string }>({
  path: ({ place }, use) => use(join(place, 'log.db')),
})

/** What another program, or a Parley of another version, might do to a file that nobody has open. */
export function change(path: string, sql: string) {
  const db = new DatabaseSync(path)
  db.exec(sql)
  db.close()
}
