import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openAuditFile } from './audit-file.ts'

const AT_ONCE = 40

/** Appends many links at once until the disk is full, and prints how many it was told are durable. */
const FILLING = `
  const { openAuditFile } = await import(${JSON.stringify(new URL('./audit-file.ts', import.meta.url).href)})
  const file = await openAuditFile(process.argv[1])
  let durable = 0
  try {
    for (;;) {
      await file.append(Array.from({ length: ${AT_ONCE} }, (_, n) => ({ at: 1, seen: String(durable + n).padStart(16, '0') })))
      durable += ${AT_ONCE}
    }
  } catch (error) {
    console.log(JSON.stringify({ durable, code: error.code }))
  }`

test.skipIf(process.platform === 'win32')(
  '[S210] a disk that takes only a part of some links has taken none of them, and the chain stays whole',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-audit-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'audit.jsonl')
    const limited = [
      '-c',
      'ulimit -f 40 && exec "$@"',
      'sh',
      process.execPath,
      '--input-type=module',
      '-e',
      FILLING,
      path,
    ]
    const { durable, code } = JSON.parse(spawnSync('sh', limited, { encoding: 'utf8' }).stdout)
    expect(code).toBe('EFBIG')
    expect(durable).toBeGreaterThan(0)
    const file = await openAuditFile(path)
    await file.append([{ at: 2, seen: '9'.repeat(16) }])
    await file.close()
    const links = readFileSync(path, 'utf8').trimEnd().split('\n')
    expect(links).toHaveLength(durable + 1)
    expect(links.map((line) => JSON.parse(line).n)).toEqual(links.map((_, n) => n + 1))
  },
)
