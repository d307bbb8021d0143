import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createStore, SCHEMA, type Store } from './sqlite-store.ts'

const NEWEST = Number.MAX_SAFE_INTEGER

test('[L14] conversations come newest first, whether their ends are written back or found again', () => {
  const { db, store, append } = open()
  const names: string[] = []
  for (let n = 0; n < 700; n += 1) {
    const name = `c${(n * n) % 13}`
    append(name)
    names.unshift(name)
    if (n % 50 > 3) continue
    // A second store on the same file knows what one would that was opened after a kill.
    for (const reader of [store, createStore(db)]) expect(inPages(reader)).toEqual([...new Set(names)])
  }
  db.close()
})

test('[L14] a page begins before the given id, also among ends that are not written back', () => {
  const { db, store, append } = open()
  for (let n = 0; n < 300; n += 1) append(`c${n}`)
  append('c7')
  const [first, second] = store.conversations(NEWEST, 2)
  expect([first?.[0], second?.[0]]).toEqual(['c7', 'c299'])
  expect(store.conversations(second?.[1] ?? 0, 2).map(([name]) => name)).toEqual(['c298', 'c297'])
  expect(store.conversations(0, 2)).toEqual([])
  db.close()
})

test('[L27] finding the ends again reads at most 250 entries, whatever was appended', () => {
  const { db, store, append } = open()
  for (let n = 0; n < 1000; n += 1) {
    append(`c${n % 400}`)
    expect(unaccounted(db)).toBeLessThanOrEqual(250)
  }
  store.commit([{ conversation: 'much', expectedLast: 0, drafts: Array(5000).fill([undefined, '1']) }])
  expect(unaccounted(db)).toBe(0)
  db.close()
})

test('[L26] a transaction that fails leaves the ends as they were', () => {
  const { db, store, append } = open()
  for (let n = 0; n < 240; n += 1) append(`c${n % 3}`)
  const before = store.conversations(NEWEST, 9)
  const drafts = Array(20).fill([undefined, '1'])
  const wrong = { conversation: 'c0', expectedLast: lastOf(store, 'c0'), drafts: [...drafts, [undefined, null]] }
  expect(() => store.commit([wrong])).toThrow('NOT NULL')
  expect(store.conversations(NEWEST, 9)).toEqual(before)
  append('c0')
  expect(inPages(store)[0]).toBe('c0')
  db.close()
})

function open() {
  const db = new DatabaseSync(':memory:')
  db.exec(SCHEMA)
  const store = createStore(db)
  return { db, store, append }

  function append(conversation: string) {
    const { outcomes } = store.commit([
      { conversation, expectedLast: lastOf(store, conversation), drafts: [[undefined, '1']] },
    ])
    expect(outcomes[0]).toHaveLength(1)
  }
}

function lastOf(store: Store, conversation: string) {
  const [row] = store.read({ conversation, after: 0, before: NEWEST, limit: 1, newest: true }).rows
  return row?.[0] ?? 0
}

function inPages(store: Store) {
  const names: string[] = []
  for (let before = NEWEST; ; ) {
    const page = store.conversations(before, 2)
    names.push(...page.map(([name]) => name))
    const last = page.at(-1)
    if (!last) return names
    before = last[1]
  }
}

function unaccounted(db: DatabaseSync) {
  const { count } = db
    .prepare('SELECT count(*) AS count FROM entry WHERE id > (SELECT max(last) FROM conversation)')
    .get() as { count: number }
  return count
}
