import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { idOf, write } from '../../../test/log/contract/collector.ts'
import { change, test } from '../../../test/log/contract/log-file.ts'
import { PLAIN_TEXT } from '../../../test/log/contract/plain-text.ts'
import { settled } from '../../../test/log/contract/search-rules.ts'
import { NO_ENTRY } from '../journal.ts'
import { openSqliteLog } from './sqlite-log.ts'

test('[L24] a file of version 1 is upgraded when it is opened, and keeps its entries', async ({ path }) => {
  makeVersion1(path)
  for (const _time of ['upgraded', 'opened again']) {
    const log = await openSqliteLog(path, { text: PLAIN_TEXT })
    expect((await log.read({ limit: 9 })).map(({ body }) => body)).toEqual(['deploy one', 'deploy two', 'deploy three'])
    expect(await log.find('a', 'k')).toMatchObject({
      id: '1700000000000001',
      at: 1_700_000_000_000,
      body: 'deploy one',
    })
    expect((await log.conversations({ limit: 9 })).map(({ conversation }) => conversation)).toEqual(['b', 'a'])
    expect((await settled(log, { query: 'deploy', limit: 9 })).hits).toHaveLength(3)
    await log.close()
  }
  expect(versionOf(path)).toBe(7)
})

test('[L24] [L39] snapshots of version 1 are of format 0, and any newer one takes their place', async ({ path }) => {
  makeVersion1(path)
  const log = await openSqliteLog(path)
  const older = { format: 0, at: '1700000000000002', state: { older: true } }
  expect([await log.snapshots.get('a', 1), await log.snapshots.get('a', 0)]).toEqual([undefined, older])
  const newer = { format: 1, at: '1700000000000001', state: { older: false } }
  await log.snapshots.put('a', newer)
  expect([await log.snapshots.get('a', 1), await log.snapshots.get('a', 0)]).toEqual([newer, undefined])
  await log.close()
})

test('[L24] notes that were snapshots of version 5 are notes, and snapshots of rooms stay what they are', async ({
  path,
}) => {
  await (await openSqliteLog(path)).close()
  change(
    path,
    `DROP TABLE note;
     INSERT INTO snapshot (name, format, at, state) VALUES
       ('room', 2, 1700000000000001, '"room"'), (char(0) || 'projection', 2, 1700000000000001, '"all"'),
       (char(0) || 'desk ada', 1, 0, '{"since":"1"}'), (char(0, 0) || 'runners', 1, 0, '["one"]');
     PRAGMA user_version = 5`,
  )
  const log = await openSqliteLog(path)
  const notes = await Promise.all(['desk ada', 'runners', 'projection', 'room'].map((name) => log.notes.get(name)))
  expect(notes.map((note) => note?.value)).toEqual([{ since: '1' }, ['one'], undefined, undefined])
  const snapshots = ['room', '\u0000projection', '\u0000desk ada'].map((name) => log.snapshots.get(name, 2))
  expect((await Promise.all(snapshots)).map((one) => one?.state)).toEqual(['room', 'all', undefined])
  expect((await log.snapshots.get('\u0000desk ada', 1))?.state).toBeUndefined()
  await log.close()
})

test('[L24] a file of version 1 takes appends after its upgrade, in the order of their ids', async ({ path }) => {
  makeVersion1(path)
  const log = await openSqliteLog(path)
  const [entry] = await write(log, 'a', [4])
  expect(idOf(entry) > '1700000000000003').toBe(true)
  await log.close()
})

test('[F27] what entries of a file of version 1 name is found', async ({ path }) => {
  makeVersion1(path)
  change(
    path,
    `INSERT INTO entry VALUES
       (1700000000000004, 1, NULL, '{"attachments":[{"hash":"one"},"odd",{"hash":2}]}'),
       (1700000000000005, 2, NULL, '{"args_file":"two","text":"one"}'), (1700000000000006, 2, NULL, '{"whole_file":"three"}'),
       (1700000000000007, 2, NULL, 'no JSON'), (1700000000000008, 2, NULL, '{"attachments":"one"}')`,
  )
  const log = await openSqliteLog(path)
  const all = ['one', 'odd', '2', 'two', 'three']
  expect(await log.named(all, 'a')).toEqual(['one'])
  expect(await log.named(all, 'b')).toEqual(['two', 'three'])
  await log.close()
})

test.for(['snapshot', 'entry', 'conversation'])(
  '[L22] a file of version 1 without its table %s is corrupt, and is not upgraded',
  async (table, { path }) => {
    makeVersion1(path)
    change(path, `DROP TABLE "${table}"`)
    const before = readFileSync(path)
    await expect(openSqliteLog(path)).rejects.toMatchObject({ name: 'LogUnavailable', kind: 'corrupt' })
    expect(readFileSync(path).equals(before)).toBe(true)
  },
)

test.for([8, 99])(
  '[L24] a file of version %i is refused in one sentence and left as it is',
  async (version, { path }) => {
    await (await openSqliteLog(path)).close()
    change(path, `PRAGMA user_version = ${version}`)
    const before = readFileSync(path)
    await expect(openSqliteLog(path)).rejects.toMatchObject({
      kind: 'unwritable',
      message: `${path} was written by a newer Parley; this one would spoil it`,
    })
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(dirname(path))).toEqual(['log.db'])
  },
)

test('[L65] a file of version 6 has all times written down when it is opened, and keeps everything else', async ({
  path,
}) => {
  const before = await openSqliteLog(path, { text: PLAIN_TEXT })
  const [first] = await write(before, 'a', ['one'])
  const [second] = await before.append('a', idOf(first), [{ key: 'k', body: 'two' }])
  await write(before, 'b', ['three'])
  const entries = await before.read({ limit: 9 })
  await before.close()
  makeVersion6(path)
  change(path, "UPDATE entry SET at = 1700000000000 WHERE key = 'k'")
  const told = entries.map((entry) => {
    return { ...entry, at: entry.key ? 1_700_000_000_000 : Math.floor(Number(entry.id) / 1000) }
  })

  for (const _time of ['upgraded', 'opened again']) {
    const log = await openSqliteLog(path, { text: PLAIN_TEXT })
    expect(await log.read({ limit: 9 })).toEqual(told)
    expect(await log.append('a', NO_ENTRY, [{ key: 'k', body: 'again' }])).toEqual([told[1]])
    expect((await settled(log, { query: 'two', limit: 9 })).hits).toMatchObject([{ id: second?.id, at: told[1]?.at }])
    await log.close()
  }
  expect(versionOf(path)).toBe(7)
})

test('[L65] what is forgotten in a file that was of version 6 leaves no word in it', async ({ path }) => {
  const before = await openSqliteLog(path)
  const drafts = Array.from({ length: 4000 }, (_, n) => ({ body: 'zqjxkv '.repeat(1 + ((n * 7919) % 60)) }))
  await before.append('a', NO_ENTRY, drafts)
  await before.close()
  makeVersion6(path)
  expect(readFileSync(path).includes('zqjxkv')).toBe(true)

  const log = await openSqliteLog(path)
  await log.forget('a', await log.last())
  await log.erased()
  await log.close()
  expect(readFileSync(path).includes('zqjxkv')).toBe(false)
})

/** The file as a Parley of version 6 left it, whose ids told most times. */
function makeVersion6(path: string) {
  change(
    path,
    `ALTER TABLE entry RENAME TO newer;
     CREATE TABLE entry
       (id INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, key TEXT, body TEXT NOT NULL, at INTEGER) STRICT;
     INSERT INTO entry SELECT id, conversation, key, body, NULL FROM newer ORDER BY id;
     DROP TABLE newer;
     CREATE INDEX entry_by_conversation ON entry (conversation);
     CREATE UNIQUE INDEX entry_by_key ON entry (conversation, key) WHERE key IS NOT NULL;
     VACUUM;
     PRAGMA user_version = 6`,
  )
}

/** The file as the Parley of that version left it: in WAL mode, with the ends of its last entries not written back. */
function makeVersion1(path: string) {
  change(
    path,
    `PRAGMA page_size = 4096;
     PRAGMA journal_mode = WAL;
     CREATE TABLE conversation (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, last INTEGER NOT NULL) STRICT;
     CREATE INDEX conversation_by_last ON conversation (last);
     CREATE TABLE entry (id INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, key TEXT, body TEXT NOT NULL) STRICT;
     CREATE INDEX entry_by_conversation ON entry (conversation);
     CREATE UNIQUE INDEX entry_by_key ON entry (conversation, key) WHERE key IS NOT NULL;
     CREATE TABLE snapshot (conversation TEXT PRIMARY KEY, at INTEGER NOT NULL, state TEXT NOT NULL) STRICT;
     CREATE TABLE search_index (version INTEGER NOT NULL, indexed INTEGER NOT NULL) STRICT;
     INSERT INTO search_index VALUES (2, 1700000000000001);
     CREATE VIRTUAL TABLE entry_text USING
       fts5(text, place, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1');
     INSERT INTO entry_text (rowid, text, place) VALUES (1700000000000001, 'deploy one', '\ue001\ue000\ue000');
     INSERT INTO conversation VALUES (1, 'a', 1700000000000002), (2, 'b', 0);
     INSERT INTO entry VALUES (1700000000000001, 1, 'k', '"deploy one"'), (1700000000000002, 1, NULL, '"deploy two"'),
       (1700000000000003, 2, NULL, '"deploy three"');
     INSERT INTO snapshot VALUES ('a', 1700000000000002, '{"older":true}');
     PRAGMA application_id = ${0x7061726c};
     PRAGMA user_version = 1`,
  )
}

function versionOf(path: string) {
  const db = new DatabaseSync(path)
  const version = db.prepare('PRAGMA user_version').get()?.user_version
  db.close()
  return version
}
