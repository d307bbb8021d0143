import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { makePlace, removePlace, SOAK } from '../../../test/log/contract/place.ts'
import type { LogEntry } from '../journal.ts'
import { openSqliteLog } from './sqlite-log.ts'

const CONVERSATIONS = 5

test.for(Array.from({ length: SOAK > 1 ? 3 * SOAK : 1 }, (_, n) => n))(
  '[L20] every acknowledged entry survives a kill, once and in order (seed %i)',
  async (seed, { onTestFinished }) => {
    const place = makePlace()
    onTestFinished(() => removePlace(place))
    const path = join(place, 'log.db')
    const promised: LogEntry[] = []
    // Killed twice: the second process goes on from what the first one left.
    for (const prime of [7919, 104_729]) {
      promised.push(...(await appendUntilKilled(path, (seed * prime + prime) % 1500)))
    }

    const log = await openSqliteLog(path)
    const kept = await log.read({ limit: 1_000_000 })
    await log.close()
    const ids = kept.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].sort())
    const byId = new Map(kept.map((entry) => [entry.id, entry]))
    expect(promised.map(({ id }) => byId.get(id))).toEqual(promised)
    for (const [, own] of Map.groupBy(kept, ({ conversation }) => conversation)) {
      expect(own.map(({ body }) => body)).toEqual(own.map((_, n) => n))
    }
  },
)

test('[L21] a file that another process holds is in use, and free again once that one is killed', async () => {
  const place = makePlace()
  const path = join(place, 'log.db')
  const holder = appendForever(path, 0)
  await once(holder.lines, 'line')
  await expect(openSqliteLog(path)).rejects.toMatchObject({ name: 'LogUnavailable', kind: 'in_use' })
  await kill(holder.child)
  await (await openSqliteLog(path)).close()
  removePlace(place)
})

test('[L21] of processes that open a new file at once exactly one gets it', async () => {
  const place = makePlace()
  const path = join(place, 'log.db')
  const rivals = Array.from({ length: 4 }, () => appendForever(path, 0))
  const fates = await Promise.all(
    rivals.map(({ child, lines }) =>
      Promise.race([once(lines, 'line').then(() => 'opened'), text(child.stderr as Readable)]),
    ),
  )
  expect(fates.filter((fate) => fate === 'opened')).toHaveLength(1)
  expect(fates.filter((fate) => fate.includes('is in use by another Parley'))).toHaveLength(3)
  await Promise.all(rivals.map(({ child }) => kill(child)))
  removePlace(place)
})

async function appendUntilKilled(path: string, enough: number) {
  const entries: LogEntry[] = []
  const { child, lines } = appendForever(path, CONVERSATIONS)
  let seen = 0
  lines.on('line', (line) => {
    if (line !== '{}') entries.push(JSON.parse(line))
    seen += 1
    if (seen > enough) child.kill('SIGKILL')
  })
  await once(lines, 'close')
  return entries
}

function appendForever(path: string, conversations: number) {
  const child = fork(new URL('../../../test/log/append-forever.ts', import.meta.url), [path, String(conversations)], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  return { child, lines: createInterface({ input: child.stdout as Readable }) }
}

async function kill(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
