import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { write } from '../../../test/log/contract/collector.ts'
import { change, test } from '../../../test/log/contract/log-file.ts'
import { openSqliteLog } from './sqlite-log.ts'

test('[L21] a file that is open in this process already is in use, and stays so', async ({ path }) => {
  const log = await openSqliteLog(path)
  for (const _attempt of [1, 2]) {
    await expect(openSqliteLog(path)).rejects.toMatchObject({
      kind: 'in_use',
      message: `${path} is in use by another Parley`,
    })
  }
  expect(await write(log, 'a', [1])).toHaveLength(1)
  await log.close()
})

const DAMAGES: Record<string, (path: string) => void> = {
  'random bytes': (path) => writeFileSync(path, randomBytes(20_480)),
  text: (path) => writeFileSync(path, 'Dear diary,\n'),
  'zeros of a whole page': (path) => writeFileSync(path, Buffer.alloc(4096)),
  'one byte': (path) => truncateSync(path, 1),
  'a cut first page': (path) => truncateSync(path, 3000),
  'half of its pages': (path) => truncateSync(path, 4096 * 4),
  'a cut last page': (path) => truncateSync(path, statSync(path).size - 100),
  'an overwritten first page': (path) => overwrite(path, 0, 4096),
  'overwritten pages behind the first': (path) => overwrite(path, 4096),
  'the database of another program': (path) => {
    writeFileSync(path, '')
    change(path, 'CREATE TABLE t (x)')
  },
  'a table missing': (path) => change(path, 'DROP TABLE snapshot'),
}

test.for(Object.keys(DAMAGES))(
  '[L22] a file with %s is refused as corrupt and left as it is',
  async (damage, { path }) => {
    await writeSomeLog(path)
    DAMAGES[damage]?.(path)
    const before = readFileSync(path)
    await expect(openSqliteLog(path)).rejects.toMatchObject({ name: 'LogUnavailable', kind: 'corrupt' })
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(dirname(path))).toEqual(['log.db'])
  },
)

test('[L22] an emptied file beside the write-ahead log of a killed process is corrupt', async ({ path }) => {
  writeFileSync(path, '')
  writeFileSync(`${path}-wal`, 'what the killed process had committed')
  await expect(openSqliteLog(path)).rejects.toMatchObject({ kind: 'corrupt' })
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0)
})

test('[L23] a place where no file can be written is refused in one sentence', async ({ path }) => {
  writeFileSync(path, '')
  for (const place of [join(path, 'below/a/file.db'), dirname(path), '/proc/parley/log.db', '/proc/1/parley/log.db']) {
    await expect(openSqliteLog(place)).rejects.toMatchObject({
      kind: 'unwritable',
      message: expect.stringMatching(/^\S+ cannot be written \(.+\)$/),
    })
  }
})

test('[L29] the file and the directories made for it are for their owner only', async ({ path }) => {
  const deep = join(path, 'made/for/it/log.db')
  const log = await openSqliteLog(deep)
  await write(log, 'a', [1])
  const modes = [deep, `${deep}-wal`, dirname(deep), path].map((made) => statSync(made).mode & 0o777)
  expect(modes).toEqual([0o600, 0o600, 0o700, 0o700])
  await log.close()
  expect(readdirSync(dirname(deep))).toEqual(['log.db'])
})

async function writeSomeLog(path: string) {
  const log = await openSqliteLog(path)
  const drafts = Array.from({ length: 300 }, (_, body) => ({ body }))
  await log.append('a', '0', drafts)
  await log.close()
}

function overwrite(path: string, start: number, end?: number) {
  const bytes = readFileSync(path)
  bytes.fill(0xa7, start, end)
  writeFileSync(path, bytes)
}
