import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createStore, SCHEMA, type Write } from './sqlite-store.ts'

test('[L26] a transaction that fails refuses all of its appends and changes nothing', () => {
  const db = open()
  const store = createStore(db)
  store.commit([{ conversation: 'a', expectedLast: 0, drafts: [[undefined, '1']] }])
  const pages = Number(db.prepare('PRAGMA page_count').get()?.page_count)
  db.exec(`PRAGMA max_page_count = ${pages + 4}`)

  const before = [store.last(), store.conversations(Number.MAX_SAFE_INTEGER, 9), store.read(ALL)]
  const small = appendOf('b', '2')
  const large = appendOf('c', JSON.stringify('x'.repeat(100_000)))
  const wrong = appendOf('c', null as unknown as string)
  expect(() => store.commit([small, large])).toThrow('full')
  expect(() => store.commit([small, wrong])).toThrow('NOT NULL')
  expect([store.last(), store.conversations(Number.MAX_SAFE_INTEGER, 9), store.read(ALL)]).toEqual(before)
  expect(store.commit([small]).outcomes).toHaveLength(1)
  expect(store.read(ALL).rows).toHaveLength(2)
  store.close()
})

test('[L27] [F27] no statement walks more of the log than the page it answers with', () => {
  const db = open()
  const statements: string[] = []
  const recording = new Proxy(db, {
    get(target, name) {
      if (name !== 'prepare') return Reflect.get(target, name)
      return (sql: string) => {
        statements.push(sql)
        return target.prepare(sql)
      }
    },
  })
  createStore(recording)
  for (const sql of statements.filter((sql) => /^(SELECT|UPDATE)/.test(sql))) {
    const plan = db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
    expect(plan[0], sql).toMatch(/^SEARCH/)
    expect(plan.join(), sql).not.toMatch(/SCAN|TEMP B-TREE/)
    if (sql.includes('conversation = ('))
      expect(plan[0], sql).toMatch(/conversation=\? AND (key=\?|rowid>\? AND rowid<\?)|name=\? AND conversation=\?/)
  }
  expect(statements.length).toBeGreaterThan(9)
  db.close()
})

function appendOf(conversation: string, body: string): Write {
  return { conversation, expectedLast: 0, drafts: [[undefined, body]] }
}

const ALL = { after: 0, before: Number.MAX_SAFE_INTEGER, limit: 9, newest: false }

function open() {
  const db = new DatabaseSync(':memory:')
  db.exec(SCHEMA)
  return db
}
