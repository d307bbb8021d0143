import { expect } from 'vitest'
import { idOf, write } from '../../../test/log/contract/collector.ts'
import { change, test } from '../../../test/log/contract/log-file.ts'
import { PLAIN_TEXT } from '../../../test/log/contract/plain-text.ts'
import { settled } from '../../../test/log/contract/search-rules.ts'
import { NO_ENTRY } from '../journal.ts'
import { openSqliteLog } from './sqlite-log.ts'

const TEN_YEARS_MS = 10 * 365 * 24 * 60 * 60_000

test('[L50] after a clock was years ahead ids grow and times are true: told, read, found by key and searched', async ({
  path,
}) => {
  const before = await openSqliteLog(path, { text: PLAIN_TEXT })
  await write(before, 'a', ['from the future'])
  await before.close()
  change(
    path,
    `UPDATE entry SET id = id + ${TEN_YEARS_MS * 1000}, at = at + ${TEN_YEARS_MS};
     UPDATE conversation SET last = last + ${TEN_YEARS_MS * 1000}`,
  )

  const log = await openSqliteLog(path, { text: PLAIN_TEXT })
  const [future] = await log.read({ limit: 1 })
  const began = Date.now()
  const [entry] = await log.append('a', idOf(future), [{ key: 'k', body: 'deploy now' }])
  const ended = Date.now()
  expect(idOf(entry) > idOf(future)).toBe(true)
  expect(entry?.at).toBeGreaterThanOrEqual(began)
  expect(entry?.at).toBeLessThanOrEqual(ended)
  expect(future?.at).toBeGreaterThan(ended)
  const hits = async (since: number) => (await settled(log, { query: 'deploy', since, limit: 9 })).hits
  expect([await log.find('a', 'k'), (await log.read({ after: idOf(future), limit: 9 }))[0]]).toEqual([entry, entry])
  expect((await hits(began)).map(({ id, at }) => [id, at])).toEqual([[entry?.id, entry?.at]])
  expect(await hits(ended + 1)).toEqual([])
  await log.close()

  const again = await openSqliteLog(path)
  expect((await again.read({ after: idOf(future), limit: 9 }))[0]).toEqual(entry)
  expect((await again.read({ after: NO_ENTRY, limit: 1 }))[0]?.at).toBe(future?.at)
  await again.close()
})

test('[L64] no id tells a time: where other ids are given, entries keep theirs and are found by them', async ({
  path,
}) => {
  const before = await openSqliteLog(path)
  const drafts = Array.from({ length: 3000 }, (_, n) => ({ body: `deploy n${n}n` }))
  const entries = await before.append('a', NO_ENTRY, drafts)
  await before.close()
  change(
    path,
    `UPDATE entry SET at = 1700000000000 + (id - ${Number(entries[0]?.id)}) * 1000;
     UPDATE entry SET id = id - ${Number(entries[0]?.id) - 1};
     UPDATE conversation SET last = 3000`,
  )

  const log = await openSqliteLog(path, { text: PLAIN_TEXT })
  const timeOf = (n: number) => 1_700_000_000_000 + n * 1000
  const page = await log.read({ conversation: 'a', limit: 3000 })
  expect(page.map(({ id, at }) => [Number(id), at])).toEqual(drafts.map((_, n) => [n + 1, timeOf(n)]))
  const found = async (since: number | undefined, until: number | undefined, query = 'deploy') => {
    const { hits, next } = await settled(log, { query, since, until, limit: 3 })
    return [...hits.map(({ at }) => at), next !== undefined]
  }
  expect(await found(timeOf(2998), undefined)).toEqual([timeOf(2999), timeOf(2998), false])
  expect(await found(timeOf(9), timeOf(12) - 1)).toEqual([timeOf(11), timeOf(10), timeOf(9), false])
  expect(await found(undefined, timeOf(2))).toEqual([timeOf(1), timeOf(0), false])
  expect(await found(timeOf(1), timeOf(3), '')).toEqual([timeOf(2), timeOf(1), false])
  expect(await found(timeOf(3000), undefined)).toEqual([false])
  await log.close()
})
