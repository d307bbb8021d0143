import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import type { Readable } from 'node:stream'
import { expect } from 'vitest'
import { write } from '../../../test/log/contract/collector.ts'
import { test } from '../../../test/log/contract/log-file.ts'
import { SOAK } from '../../../test/log/contract/place.ts'
import { PLAIN_TEXT, textOf } from '../../../test/log/contract/plain-text.ts'
import { search, settled } from '../../../test/log/contract/search-rules.ts'
import { openMemoryLog } from '../../../test/log/memory-log.ts'
import { NO_ENTRY } from '../journal.ts'
import { openSqliteLog } from '../sqlite/sqlite-log.ts'
import { createStore, SCHEMA } from '../sqlite/sqlite-store.ts'
import type { StoredDraft } from '../stored-text.ts'
import { createSearchIndex } from './sqlite-search.ts'

const PATIENTLY = { timeout: 60_000 }
const LAST = Number.MAX_SAFE_INTEGER

test('[L30] a log that nobody told what can be found cannot be searched, and says so by having no search', async () => {
  const plain = await openSqliteLog(':memory:')
  expect([plain.search, openMemoryLog().search]).toEqual([undefined, undefined])
  await plain.close()
})

test('[L36] a file without an index gets one in the background, while the log is used as ever', async ({ path }) => {
  const ids = await fill(path, 1500)
  const log = await openSqliteLog(path, { text: PLAIN_TEXT })
  expect((await search(log, { query: 'n0n', limit: 1 })).hits[0]?.id).toBe(ids[0])
  await write(log, 'b', ['said meanwhile'])
  expect(await log.read({ conversation: 'a', limit: 2000 })).toHaveLength(1500)
  expect((await settled(log, { query: 'n1499n', limit: 1 })).hits[0]?.id).toBe(ids[1499])
  expect((await search(log, { query: 'meanwhile', limit: 1 })).hits).toHaveLength(1)
  await log.close()
})

test('[L36] what is not in the index yet is not found, and that there is more is said', () => {
  const db = new DatabaseSync(':memory:')
  db.exec(SCHEMA)
  const drafts = Array.from({ length: 1500 }, (_, n): StoredDraft => [undefined, `${n}`])
  createStore(db).commit([{ conversation: 'a', expectedLast: 0, drafts }])
  const index = createSearchIndex(db, textOf)
  const found = (query: string) => {
    const { hits, indexing } = index.search({
      query,
      similar: false,
      before: LAST,
      since: 0,
      until: Infinity,
      tags: [],
      limit: 1,
      most: 1000,
    })
    return [hits.length, indexing]
  }
  expect([found('n0n'), found('n1499n')]).toEqual([
    [1, true],
    [0, true],
  ])
  while (index.step());
  expect([found('n0n'), found('n1499n')]).toEqual([
    [1, false],
    [1, false],
  ])
  db.close()
})

test('[L36] the index grows without anybody searching, and is kept', async ({ path }) => {
  await fill(path, 400)
  const log = await openSqliteLog(path, { text: PLAIN_TEXT })
  await expect.poll(() => readFileSync(`${path}-wal`).includes('entry_text_data'), PATIENTLY).toBe(true)
  await log.close()
  const db = new DatabaseSync(path)
  expect(Number(db.prepare('SELECT indexed FROM search_index').get()?.indexed)).toBeGreaterThan(0)
  db.close()
  const again = await openSqliteLog(path, { text: PLAIN_TEXT })
  expect((await settled(again, { query: 'n7n', limit: 9 })).hits).toHaveLength(1)
  await again.close()
})

test('[L36] what a Parley without search appended is found afterwards', async ({ path }) => {
  const first = await openSqliteLog(path, { text: PLAIN_TEXT })
  await write(first, 'a', ['deploy one'])
  await settled(first, { query: 'deploy', limit: 9 })
  await first.close()
  const older = await openSqliteLog(path)
  await write(older, 'a', ['deploy two'])
  await older.close()
  const again = await openSqliteLog(path, { text: PLAIN_TEXT })
  expect((await settled(again, { query: 'deploy', limit: 9 })).hits).toHaveLength(2)
  await again.close()
})

test.for(Array.from({ length: SOAK > 1 ? 2 * SOAK : 1 }, (_, n) => n))(
  '[L36] kills while the index is made leave every entry in it exactly once (seed %i)',
  async (seed, { path }) => {
    const count = (await fill(path, 1000 + seed * 100)).length
    for (const lines of [1, 40 + seed * 31, 300]) await appendUntilKilled(path, lines)
    const log = await openSqliteLog(path, { text: PLAIN_TEXT })
    const kept = await log.read({ limit: 1_000_000 })
    expect(kept.length).toBeGreaterThan(count)
    await settled(log, { query: 'nothing', limit: 1 })
    for (const { id, conversation, body } of kept.filter((_, n) => n % 17 === 0 || n > kept.length - 50)) {
      const { hits, indexing } = await search(log, { query: `n${body}n`, conversation, limit: 9 })
      expect([hits.map((hit) => hit.id), indexing]).toEqual([[id], false])
    }
    await log.close()
    expect(indexedTwice(path)).toEqual([])
  },
)

test.for([
  ['of another version', 'UPDATE search_index SET version = 99, indexed = 9007199254740000'],
  ['that lost its words', 'DROP TABLE entry_text'],
  ['that is damaged', "UPDATE entry_text_data SET block = x'deadbeef' || zeroblob(60)"],
])('[L37] an index %s is made anew, and the log goes on meanwhile', async ([, damage = ''], { path }) => {
  const before = await openSqliteLog(path, { text: PLAIN_TEXT })
  await write(before, 'a', ['deploy one', 'deploy two'])
  await settled(before, { query: 'deploy', limit: 9 })
  await before.close()
  const db = new DatabaseSync(path, { defensive: false })
  db.exec(damage)
  db.close()
  const log = await openSqliteLog(path, { text: PLAIN_TEXT })
  await write(log, 'a', ['deploy three'])
  expect(await log.read({ limit: 9 })).toHaveLength(3)
  await expect
    .poll(async () => (await search(log, { query: 'deploy', limit: 9 }).catch(() => undefined))?.hits.length, PATIENTLY)
    .toBe(3)
  await log.close()
})

test('[L38] a search walks the index from its newest end, and stops when it has found enough', () => {
  const db = new DatabaseSync(':memory:')
  db.exec(SCHEMA)
  const statements: string[] = []
  const recording = new Proxy(db, {
    get(target, name) {
      const own = Reflect.get(target, name)
      if (name !== 'prepare') return typeof own === 'function' ? own.bind(target) : own
      return (sql: string) => {
        statements.push(sql)
        return target.prepare(sql)
      }
    },
  })
  const store = createStore(db)
  let looked = 0
  const index = createSearchIndex(recording, (body) => {
    looked++
    return textOf(body)
  })
  const bodyOf = (n: number) => ({ text: 'deploy', tags: n === 7 ? ['common', 'rare'] : ['common'] })
  const drafts = Array.from({ length: 5000 }, (_, n): StoredDraft => [undefined, JSON.stringify(bodyOf(n))])
  store.commit([{ conversation: 'a', expectedLast: 0, drafts }])
  while (index.step());
  for (const [query, tag, most] of [
    ['deploy', undefined, 21],
    ['de', undefined, 21],
    ['depnot', undefined, 0],
    ['xy', undefined, 1000],
    ['', 'common', 21],
    ['deploy', 'common', 21],
    ['deploy', 'rare', 1],
    ['deploy', 'none', 0],
  ] as const) {
    looked = 0
    const tags = tag ? [[tag]] : []
    const moments = { since: 0, until: Infinity }
    index.search({ query, similar: false, before: LAST, ...moments, tags, limit: 20, most: 1000 })
    expect(looked, `${query} ${tag}`).toBe(most)
  }
  for (const sql of statements.filter((sql) => /^SELECT (?:id|tag)/.test(sql))) {
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
    expect(JSON.stringify(plan), sql).not.toMatch(/SCAN entry\b|SCAN conversation|TEMP B-TREE/)
  }
  db.close()
})

/** A log as it was before there was an index. */
async function fill(path: string, count: number): Promise<string[]> {
  const log = await openSqliteLog(path)
  const entries = await log.append(
    'a',
    NO_ENTRY,
    Array.from({ length: count }, (_, body) => ({ body })),
  )
  await log.close()
  return entries.map(({ id }) => id)
}

async function appendUntilKilled(path: string, enough: number) {
  const child = fork(new URL('../../../test/log/append-forever.ts', import.meta.url), [path, '2', 'searching'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const lines = createInterface({ input: child.stdout as Readable })
  let seen = 0
  lines.on('line', () => {
    seen += 1
    if (seen > enough) child.kill('SIGKILL')
  })
  await once(lines, 'close')
}

/** The ids that the index holds more than once for one of their trigrams. */
function indexedTwice(path: string) {
  const db = new DatabaseSync(path)
  db.exec("CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', 'entry_text', 'instance')")
  const rows = db.prepare('SELECT term, doc FROM temp.words GROUP BY term, doc HAVING count(*) > 1').all()
  db.close()
  return rows
}
