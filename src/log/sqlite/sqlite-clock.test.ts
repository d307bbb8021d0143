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
    `UPDATE entry SET id = id + ${TEN_YEARS_MS * 1000}; UPDATE conversation SET last = last + ${TEN_YEARS_MS * 1000}`,
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
