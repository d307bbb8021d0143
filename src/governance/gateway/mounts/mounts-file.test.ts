import { lstatSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMountsFile } from './mounts-file.ts'

test('[S63] mounts are never written through a link that somebody put beside their file', () => {
  const data = mkdtempSync(join(tmpdir(), 'parley-mounts-'))
  const victim = join(data, 'victim')
  writeFileSync(victim, 'untouched')
  symlinkSync(victim, join(data, 'mcp.json.new'))
  openMountsFile(data).change((servers) => {
    servers.demo = { command: 'demo' }
  })
  expect(readFileSync(victim, 'utf8')).toBe('untouched')
  expect(lstatSync(join(data, 'mcp.json')).isSymbolicLink()).toBe(false)
})
