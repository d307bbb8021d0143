import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { makePlace, removePlace } from './contract/place.ts'
import { PLAIN_TEXT } from './contract/plain-text.ts'
import { NO_ENTRY } from './log.ts'
import { logContract } from './log-contract.ts'
import { openSearchableLog, openSqliteLog } from './sqlite-log.ts'

logContract('sqlite in memory', () => openSqliteLog(':memory:'))
logContract('sqlite in a file', (place) => openSearchableLog(join(place, 'log.db'), PLAIN_TEXT), {
  durable: true,
  searches: true,
})

test('[L25] appends queued together share a commit', async ({ onTestFinished }) => {
  const place = makePlace()
  onTestFinished(() => removePlace(place))
  const log = await openSqliteLog(join(place, 'log.db'))
  const append = (n: number) => log.append(`c${n}`, NO_ENTRY, [{ body: n }])
  const first = append(0)
  await Promise.resolve()
  // The first one is on its way to the disk by now; the others wait and then go together.
  await Promise.all([first, ...Array.from({ length: 200 }, (_, n) => append(n + 1))])
  expect(commitsIn(readFileSync(join(place, 'log.db-wal')))).toBeLessThanOrEqual(3)
  await log.close()
})

test('[L28] when its thread dies, all that waits and all that comes after is refused', async () => {
  const started = once(process, 'worker')
  const log = await openSqliteLog(':memory:')
  const [worker] = await started
  const failed = vi.fn()
  log.follow({ after: NO_ENTRY }, { entries() {}, failed })
  // In this order: before it is told to end, the thread may well answer.
  worker.terminate()
  const waiting = [log.append('a', NO_ENTRY, [{ body: 1 }]), log.read({ limit: 1 })]
  for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected')
  await expect(log.append('a', NO_ENTRY, [{ body: 2 }])).rejects.toThrow('ended')
  await expect(log.last()).rejects.toThrow('ended')
  expect(failed).toHaveBeenCalledOnce()
  await log.close()
})

test('[L2] what is no JSON value is refused and disturbs no other append', async () => {
  const log = await openSqliteLog(':memory:')
  const refused = log.append('a', NO_ENTRY, [{ body: undefined }])
  const stored = log.append('b', NO_ENTRY, [{ body: 1 }])
  await expect(refused).rejects.toThrow(TypeError)
  expect(await stored).toHaveLength(1)
  await log.close()
})

/** Frames of SQLite's write-ahead log that end a transaction: those that give the size of the database. */
function commitsIn(wal: Buffer) {
  const pageBytes = wal.readUInt32BE(8)
  let commits = 0
  for (let frame = 32; frame < wal.length; frame += 24 + pageBytes) if (wal.readUInt32BE(frame + 4) > 0) commits += 1
  return commits
}
