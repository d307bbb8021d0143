import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { modelRules } from '../../../test/log/contract/model-rules.ts'
import { makePlace, namesIn, type OpenLog, removePlace, SOAK } from '../../../test/log/contract/place.ts'
import { PLAIN_TEXT } from '../../../test/log/contract/plain-text.ts'
import { search } from '../../../test/log/contract/search-rules.ts'
import { logContract } from '../../../test/log/log-contract.ts'
import { NO_ENTRY } from '../journal.ts'
import type { Log } from '../views.ts'
import { openSqliteLog } from './sqlite-log.ts'

const inMemory: OpenLog = (_place, readBody, appendsReadable) =>
  openSqliteLog(':memory:', { readBody, appendsReadable, namesIn, text: PLAIN_TEXT })
/** Only where it is kept differs from a file: without `PARLEY_SOAK` what takes every call in turn shows that it works. */
if (SOAK > 1) logContract('sqlite in memory', inMemory, { searches: true })
else describe('sqlite in memory', () => modelRules(inMemory, false))
logContract(
  'sqlite in a file',
  (place, readBody, appendsReadable) =>
    openSqliteLog(join(place, 'log.db'), { readBody, appendsReadable, namesIn, text: PLAIN_TEXT }),
  {
    durable: true,
    searches: true,
  },
)

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

test('[L28] [L42] when its thread dies, all that waits and all that comes after is refused', async () => {
  const started = once(process, 'worker')
  const log = await openSqliteLog(':memory:', { text: PLAIN_TEXT })
  const [worker] = await started
  const failures = [{ after: NO_ENTRY }, { conversation: 'a', after: NO_ENTRY }].map((from) => failureOf(log, from))
  // The order matters: before it is told to end, the thread may well answer.
  worker.terminate()
  const calls: (() => Promise<unknown>)[] = [
    () => log.append('a', NO_ENTRY, [{ body: 1 }]),
    () => log.read({ limit: 1 }),
    () => log.find('a', 'k'),
    () => log.conversations({ limit: 1 }),
    () => log.snapshots.get('a', 1),
    () => log.snapshots.put('a', { format: 1, at: NO_ENTRY, state: 1 }),
    () => log.last(),
    () => log.forget('a', NO_ENTRY),
    () => log.erased(),
    () => log.forgottenTo(),
    () => log.named(['a']),
    () => search(log, { query: 'q', limit: 1 }),
  ]
  for (const _time of ['while it dies', 'when it is dead']) {
    const outcomes = await Promise.allSettled(calls.map((call) => call()))
    expect(outcomes.map(({ status }) => status)).toEqual(calls.map(() => 'rejected'))
  }
  const late = failureOf(log, { after: NO_ENTRY })
  for (const failure of [...failures, late])
    expect(await failure).toMatchObject({ message: expect.stringMatching('ended') })
  await log.close()
})

test('[L28] a log whose thread ends before it is open is refused', async () => {
  const started = once(process, 'worker')
  const opening = openSqliteLog(':memory:')
  const [worker] = await started
  worker.terminate()
  await expect(opening).rejects.toThrow('ended')
  await expect(openSqliteLog(':memory:', { text: new URL('file:///nowhere.ts') })).rejects.toThrow('nowhere')
})

test('[L42] what cannot be handed to the thread is refused, and takes no answer from another call', async () => {
  const log = await openSqliteLog(':memory:')
  const entries = await log.append('a', NO_ENTRY, [{ key: 'k', body: 1 }])
  const unsendable = log.find('a', (() => 'k') as unknown as string)
  const found = log.find('a', 'k')
  await expect(unsendable).rejects.toThrow('could not be cloned')
  expect(await found).toEqual(entries[0])
  expect(await log.last()).toBe(entries[0]?.id)
  await log.close()
})

function failureOf(log: Log, from: { conversation?: string; after: string }) {
  return new Promise((resolve) => log.follow(from, { entries() {}, failed: resolve }))
}

/** Frames of SQLite's write-ahead log that end a transaction: those that give the size of the database. */
function commitsIn(wal: Buffer) {
  const pageBytes = wal.readUInt32BE(8)
  let commits = 0
  for (let frame = 32; frame < wal.length; frame += 24 + pageBytes) if (wal.readUInt32BE(frame + 4) > 0) commits += 1
  return commits
}
