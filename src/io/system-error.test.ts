import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { attempt } from './attempt.ts'
import { ifSystemError, ignoring } from './system-error.ts'

const MISSING = '/nowhere/at/all'
const NO_PATH = 'with\0nothing'

test('[G325] what the system refuses is ignored by its code, and every other fault is thrown', async () => {
  expect(attempt(() => readFileSync(MISSING), ignoring('ENOENT'))).toBeUndefined()
  expect(attempt(() => readFileSync(MISSING), ignoring())).toBeUndefined()
  expect(await readFile(MISSING).catch(ignoring('EACCES', 'ENOENT'))).toBeUndefined()
  expect(() => attempt(() => readFileSync(MISSING), ignoring('EACCES'))).toThrow('ENOENT')
  expect(() => attempt(() => readFileSync(NO_PATH), ignoring())).toThrow('null bytes')
  expect(() => attempt(() => JSON.parse('{'), ignoring())).toThrow(SyntaxError)
})

test('[G325] and something is made of it and of nothing else', () => {
  const codeOf = ifSystemError(({ code }) => code)
  expect(attempt(() => readdirSync(MISSING), codeOf)).toBe('ENOENT')
  expect(() => attempt(() => readdirSync(NO_PATH), codeOf)).toThrow('null bytes')
  expect(attempt(() => 'done', codeOf)).toBe('done')
})
