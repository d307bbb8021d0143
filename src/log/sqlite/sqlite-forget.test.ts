import { existsSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { idOf, write } from '../../../test/log/contract/collector.ts'
import { change, test } from '../../../test/log/contract/log-file.ts'
import { PLAIN_TEXT } from '../../../test/log/contract/plain-text.ts'
import { search, settled } from '../../../test/log/contract/search-rules.ts'
import type { Log } from '../views.ts'
import { openSqliteLog } from './sqlite-log.ts'

/** Words that nobody else says, of letters that nobody else has next to each other. */
const SECRETS = ['zqjxkvword', 'zqjxkvstate', 'zqjxkvname', 'zqjxkvlong']

test('[L45] no word of it is left in the file, its write-ahead log or the index', async ({ path }) => {
  const log = await openSqliteLog(path, { text: PLAIN_TEXT })
  for (let n = 0; n < 300; n++) await tell(log, n)
  await settled(log, { query: 'plain', limit: 1 })
  for (let n = 300; n < 320; n++) await tell(log, n)
  await log.snapshots.put('zqjxkvname', { format: 1, at: await log.last(), state: 'short' })
  expect(SECRETS.filter((word) => isIn(path, word))).toEqual(SECRETS)

  await log.forget('zqjxkvname', await endOf(log, 'zqjxkvname'))
  await log.erased()
  expect(SECRETS.filter((word) => isIn(path, word))).toEqual([])
  expect((await search(log, { query: 'zqjxkv', limit: 9 })).hits).toEqual([])
  expect((await search(log, { query: 'n7n', limit: 9 })).hits).toHaveLength(1)
  await write(log, 'new', ['said later'])
  await settled(log, { query: 'later', limit: 1 })
  await log.close()
  expect(termsIn(path)).toEqual(expect.arrayContaining(['pla']))
  expect(termsIn(path).filter((term) => /zq|qj|jx|kv/.test(term))).toEqual([])
})

test('[L46] what a crash interrupted is shown to nobody, and finished by who opens the file next', async ({ path }) => {
  const first = await openSqliteLog(path, { text: PLAIN_TEXT })
  await write(first, 'a', ['zqjxkv one', 'zqjxkv two'])
  const kept = await write(first, 'b', ['plain'])
  await settled(first, { query: 'plain', limit: 1 })
  await first.close()
  // The file is as after a kill between the note that it is forgotten and the end of its erasing.
  change(path, "INSERT INTO forgotten SELECT number FROM conversation WHERE name = 'a'")
  change(path, "DELETE FROM conversation WHERE name = 'a'; DELETE FROM entry WHERE id = (SELECT min(id) FROM entry)")
  const reader = await openSqliteLog(path)
  expect(await reader.read({ limit: 9 })).toEqual(kept)
  expect((await reader.conversations({ limit: 9 })).map(({ conversation }) => conversation)).toEqual(['b'])
  // It gets a number of its own, so that nothing of before is in it.
  const anew = await write(reader, 'a', ['new'])
  expect(await reader.read({ conversation: 'a', limit: 9 })).toEqual(anew)
  await reader.close()
  const log = await openSqliteLog(path, { text: PLAIN_TEXT })
  await log.erased()
  expect(isIn(path, 'zqjxkv')).toBe(false)
  expect((await search(log, { query: 'new', limit: 9 })).hits).toHaveLength(1)
  await log.close()
})

test('[L44] an id that was given is never given again, whatever the clock says', async ({ path }) => {
  await (await openSqliteLog(path)).close()
  const used = 4_102_444_800_000_000
  change(path, `UPDATE forgotten_to SET id = ${used}`)
  const log = await openSqliteLog(path)
  expect(idOf((await write(log, 'a', [1]))[0])).toBe(String(used + 1))
  await log.close()
})

test('[L47] a long one is erased in pieces, and what others append comes in between', async ({ path }) => {
  const log = await openSqliteLog(path, { text: PLAIN_TEXT })
  const drafts = Array.from({ length: 2000 }, (_, n) => ({ body: `zqjxkv ${n}` }))
  const long = await log.append('long', '0'.repeat(16), drafts)
  await settled(log, { query: 'zqjxkv', limit: 1 })
  await log.forget('long', idOf(long.at(-1)))
  let erased = false
  const erasing = log.erased().then(() => (erased = true))
  for (let n = 0; n < 5; n++) await write(log, 'other', [n])
  expect(erased).toBe(false)
  expect((await search(log, { query: 'zqjxkv', limit: 9 })).hits).toEqual([])
  await erasing
  expect(isIn(path, 'zqjxkv')).toBe(false)
  expect(await log.read({ limit: 9 })).toHaveLength(5)
  await log.close()
})

async function tell(log: Log, n: number) {
  const long = n % 40 === 0 ? `zqjxkvlong ${'letters '.repeat(1500)}` : ''
  await write(log, 'others', [`plain n${n}n`])
  const drafts = [{ key: `k${n}`, body: `zqjxkvword ${n} ${long}` }]
  await log.append('zqjxkvname', await endOf(log, 'zqjxkvname'), drafts)
  const state = { text: `zqjxkvstate ${'x'.repeat(n * 20)}` }
  await log.snapshots.put('zqjxkvname', { format: 1, at: await log.last(), state })
}

async function endOf(log: Log, conversation: string) {
  const [last] = await log.read({ conversation, before: '9'.repeat(16), limit: 1 })
  return last?.id ?? '0'.repeat(16)
}

function isIn(path: string, word: string) {
  return [path, `${path}-wal`].some((file) => existsSync(file) && readFileSync(file).includes(word))
}

function termsIn(path: string): string[] {
  const db = new DatabaseSync(path)
  db.exec('CREATE VIRTUAL TABLE temp.term USING fts5vocab(main, entry_text, row)')
  const terms = db.prepare('SELECT term FROM term').all()
  db.close()
  return terms.map(({ term }) => String(term))
}
