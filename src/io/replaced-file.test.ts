import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replaceFile } from './replaced-file.ts'

test('[S63] a file is replaced as a whole, for its owner alone, and nothing is left beside it', () => {
  const { folder, path } = place()
  expect(replaceFile(path, 'first')).toBe(true)
  expect(replaceFile(path, 'second')).toBe(true)
  expect(readFileSync(path, 'utf8')).toBe('second')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(replaceFile(path, 'third', { isWanted: () => false })).toBe(false)
  expect(readFileSync(path, 'utf8')).toBe('second')
  expect(readdirSync(folder)).toEqual(['it.json'])
})

test('[S63] what stands where its half is written is neither written through nor keeps its mode', () => {
  const { folder, path } = place()
  const victim = join(folder, 'victim')
  writeFileSync(victim, 'untouched')
  symlinkSync(victim, `${path}.new`)
  replaceFile(path, 'a secret')
  expect(readFileSync(victim, 'utf8')).toBe('untouched')
  writeFileSync(`${path}.new`, 'left by somebody who was killed')
  chmodSync(`${path}.new`, 0o644)
  replaceFile(path, 'another secret')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('[S63] where it cannot be written the file stays as it was, and the error is the one of the system', () => {
  const { path } = place()
  replaceFile(path, 'first')
  mkdirSync(`${path}.new`)
  expect(() => replaceFile(path, 'second')).toThrow(expect.objectContaining({ syscall: 'unlink' }))
  expect(readFileSync(path, 'utf8')).toBe('first')
})

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-replaced-'))
  return { folder, path: join(folder, 'it.json') }
}
