import { expect, onTestFinished, test } from 'vitest'
import { idOf, write } from '../../../test/log/contract/collector.ts'
import { SOAK } from '../../../test/log/contract/place.ts'
import { PLAIN_TEXT } from '../../../test/log/contract/plain-text.ts'
import { settled } from '../../../test/log/contract/search-rules.ts'
import { openSqliteLog } from '../sqlite/sqlite-log.ts'

const MIB = 1024 * 1024

test('[S71] an append that comes right behind a search through much text does not wait for its end', async () => {
  const log = await openSqliteLog(':memory:', { text: PLAIN_TEXT })
  onTestFinished(() => log.close())
  const many = SOAK > 1 ? 300 : 24
  for (let n = 0; n < many; n++) await write(log, 'long', [`zq ${'word '.repeat(MIB / 5)}`])
  await settled(log, { query: 'zq', limit: 1 })
  const order: string[] = []
  const searching = log.search?.({ query: 'qz', limit: 9 }).then(() => order.push('search'))
  const appending = log.append('short', '0'.repeat(16), [{ body: 'Hello' }]).then(() => order.push('append'))
  await Promise.all([searching, appending])
  expect(order).toEqual(['append', 'search'])
})

test('[S71] pieces of a search find what one would, each hit once, and say where to go on', async () => {
  const log = await openSqliteLog(':memory:', { text: PLAIN_TEXT })
  onTestFinished(() => log.close())
  const entries = await write(
    log,
    'a',
    Array.from({ length: 12 }, (_, n) => `${n % 2 ? 'zq' : 'no'} ${'x'.repeat(MIB / 3)}`),
  )
  const wanted = entries
    .filter((_, n) => n % 2)
    .map(idOf)
    .reverse()
  await settled(log, { query: 'zq', limit: 1 })
  const found: string[] = []
  for (let before: string | undefined; ; ) {
    const page = await log.search?.({ query: 'zq', limit: 2, before })
    expect(page?.hits.length).toBeLessThanOrEqual(2)
    found.push(...(page?.hits ?? []).map(({ id }) => id))
    before = page?.next
    if (before === undefined) break
  }
  expect(found).toEqual(wanted)
})
