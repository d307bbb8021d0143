import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { collect, idOf, write } from '../../../test/log/contract/collector.ts'
import { change, test } from '../../../test/log/contract/log-file.ts'
import { PLAIN_TEXT } from '../../../test/log/contract/plain-text.ts'
import { settled } from '../../../test/log/contract/search-rules.ts'
import { NO_ENTRY } from '../journal.ts'
import { openSqliteLog } from './sqlite-log.ts'

test('[L41] a stored text that is no JSON is told as it stands, by page, key and follower', async ({ path }) => {
  await fill(path)
  change(path, `UPDATE entry SET body = '{"cut' WHERE key = 'second'`)
  const log = await openSqliteLog(path)
  const bodies = ['deploy first', '{"cut', 'deploy third']
  expect((await log.read({ conversation: 'a', limit: 9 })).map(({ body }) => body)).toEqual(bodies)
  expect((await log.find('a', 'second'))?.body).toBe('{"cut')
  expect((await log.append('a', NO_ENTRY, [{ key: 'second', body: 2 }]))[0]?.body).toBe('{"cut')
  const follower = collect(log, { after: NO_ENTRY })
  await follower.until(4)
  await write(log, 'a', ['more'])
  expect(follower.all().map(({ body }) => body)).toEqual([...bodies, 'deploy elsewhere', 'more'])
  await log.close()
})

test('[L41] a stored text that is no JSON is in no index, and everything else is found', async ({ path }) => {
  await fill(path)
  change(path, `UPDATE entry SET body = '"deploy' WHERE key = 'second'`)
  const log = await openSqliteLog(path, { text: PLAIN_TEXT })
  for (const query of ['deploy', 'de']) expect(await textsOf(log, query)).toEqual(FOUND)
  await write(log, 'a', ['deploy more'])
  expect(await textsOf(log, 'deploy')).toEqual(['deploy more', ...FOUND])
  await log.close()
})

test('[L41] an entry that is damaged after it was indexed is found no more, and everything else is', async ({
  path,
}) => {
  await fill(path)
  const before = await openSqliteLog(path, { text: PLAIN_TEXT })
  expect(await textsOf(before, 'deploy')).toHaveLength(4)
  await before.close()
  change(path, `UPDATE entry SET body = '"deploy' WHERE key = 'second'`)
  const log = await openSqliteLog(path, { text: PLAIN_TEXT })
  expect(await textsOf(log, 'deploy')).toEqual(FOUND)
  await log.close()
})

test('[L41] a body over which the reader of texts throws is in no index either', async ({ path }) => {
  const file = `${path}.text.mjs`
  writeFileSync(file, 'export const textOf = (body) => ({ text: body.said.trim() })')
  const text = pathToFileURL(file)
  const log = await openSqliteLog(path, { text })
  await write(log, 'a', [{ said: 'deploy' }, null, { said: 7 }, { said: 'deploy again' }])
  expect(await textsOf(log, 'deploy')).toEqual(['deploy again', 'deploy'])
  await log.close()
})

test('[L39] a snapshot that is no JSON is as good as none', async ({ path }) => {
  await fill(path)
  const before = await openSqliteLog(path)
  const [last] = await before.read({ before: '9'.repeat(16), limit: 1 })
  for (const name of ['a', 'b']) await before.snapshots.put(name, { format: 1, at: idOf(last), state: { of: name } })
  await before.close()
  change(path, `UPDATE snapshot SET state = '{"of' WHERE name = 'a'`)
  const log = await openSqliteLog(path)
  expect(await log.snapshots.get('a', 1)).toBeUndefined()
  expect((await log.snapshots.get('b', 1))?.state).toEqual({ of: 'b' })
  await log.close()
})

const FOUND = ['deploy elsewhere', 'deploy third', 'deploy first']

async function fill(path: string) {
  const log = await openSqliteLog(path)
  const drafts = ['first', 'second', 'third'].map((key) => ({ key, body: `deploy ${key}` }))
  await log.append('a', NO_ENTRY, drafts)
  await log.append('b', NO_ENTRY, [{ body: 'deploy elsewhere' }])
  await log.close()
}

async function textsOf(log: Awaited<ReturnType<typeof openSqliteLog>>, query: string) {
  const { hits } = await settled(log, { query, limit: 9 })
  return hits.map(({ snippet }) => snippet.text)
}
