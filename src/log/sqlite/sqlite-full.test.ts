import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { write } from '../../../test/log/contract/collector.ts'
import { test } from '../../../test/log/contract/log-file.ts'
import type { LogEntry } from '../journal.ts'
import { openSqliteLog } from './sqlite-log.ts'

type Report = { refusals: string[]; put: string; promised: LogEntry[]; told: string[]; kept: string[]; failures: [] }

test('[L26] [L42] where no more can be written, each append is refused, all else goes on and nothing is unheard', async ({
  path,
}) => {
  const { promised, kept, told, failures, refusals, put } = await fillUp(path)
  const ids = promised.map(({ id }) => id)
  expect(refusals).toEqual(Array(3).fill(expect.stringMatching(/disk/)))
  expect(put).toBe('rejected')
  expect(failures).toEqual([])
  expect(kept).toEqual(ids.toSorted())
  expect(told).toEqual(kept)

  const log = await openSqliteLog(path)
  expect(await log.read({ limit: 100_000 })).toEqual(promised.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  expect(await write(log, 'a', ['there is space again'])).toHaveLength(1)
  await log.close()
})

/**
 * Appends in a process whose files may have half a megabyte, until that is full. A rejection that nobody hears would
 * end it with another code.
 */
async function fillUp(path: string): Promise<Report> {
  const script = fileURLToPath(new URL('../../../test/log/append-until-full.ts', import.meta.url))
  const child = spawn('sh', ['-c', 'ulimit -f 1024 && exec "$@"', 'sh', process.execPath, script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(code).toBe(0)
  return JSON.parse(said)
}
