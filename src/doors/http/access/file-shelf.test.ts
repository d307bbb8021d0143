import { execFile } from 'node:child_process'
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/support/hub.ts'
import { fileShelf } from './file-shelf.ts'
import { createTokens } from './tokens.ts'

const open = (path: string) => createTokens({ shelf: fileShelf(path), given: [] })

test('[S6] the file has mode 0600, holds hashes only, and nothing but its lock is left beside it', async () => {
  const folder = join(await temporaryFolder(), 'made')
  const path = join(folder, 'tokens.json')
  const { secret } = await open(path).create({ name: 'ada' })
  expect([(await stat(path)).mode & 0o777, (await stat(folder)).mode & 0o777]).toEqual([0o600, 0o700])
  expect(await readdir(folder)).toEqual(['tokens.json', 'tokens.json.lock'])
  expect(await readFile(path, 'utf8')).not.toContain(secret.slice(7))
  expect(open(path).ofToken(secret).name).toBe('ada')
})

test('[S9] a change counts at once for everyone who has the file open', async () => {
  const path = join(await temporaryFolder(), 'tokens.json')
  const [hub, cli] = [open(path), open(path)]
  expect(hub.exist()).toBe(false)
  for (let round = 0; round < 50; round++) {
    const { secret } = await cli.create({ name: 'ada' })
    expect(hub.ofToken(secret).name).toBe('ada')
    // Twice, because the file system may give the second file the number of the first.
    for (let again = 0; again < 2; again++) await cli.create({ name: 'ada' })
    expect(() => hub.ofToken(secret)).toThrow('Unknown token')
    const { secret: last } = await cli.create({ name: 'ada' })
    await cli.revoke('ada')
    expect(() => hub.ofToken(last)).toThrow('was revoked')
  }
})

test.each([
  ['[', 'Unexpected end of JSON input'],
  ['{}', 'must be a list'],
  ['[{"kind":"token","name":"ada","role":"king"}]', '0.role must be human, agent, orchestrator or admin'],
])('[S16] a damaged file (%s) is refused in one sentence and left as it is', async (text, reason) => {
  const path = join(await temporaryFolder(), 'tokens.json')
  await writeFile(path, text)
  expect(() => fileShelf(path)).toThrow(`${path} is damaged or not a list of tokens (`)
  expect(() => fileShelf(path)).toThrow(reason)
  expect(await readFile(path, 'utf8')).toBe(text)
})

test('[S16] a file damaged while the hub runs lets nobody in', async () => {
  const path = join(await temporaryFolder(), 'tokens.json')
  const tokens = open(path)
  const { secret } = await tokens.create({ name: 'ada' })
  await writeFile(path, '')
  expect(() => tokens.ofToken(secret)).toThrow('is damaged')
  expect(() => tokens.exist()).toThrow('is damaged')
  await expect(tokens.create({ name: 'bob' })).rejects.toThrow('is damaged')
  expect(await readFile(path, 'utf8')).toBe('')
})

test('[S16] processes that change the file at the same time lose nothing of each other', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'tokens.json')
  const here = new URL('.', import.meta.url)
  const script = (name: string) => `
    const { fileShelf } = await import('${new URL('file-shelf.ts', here)}')
    const { createTokens } = await import('${new URL('tokens.ts', here)}')
    const tokens = createTokens({ shelf: fileShelf(process.argv[1]), given: [] })
    for (let n = 0; n < 25; n++) await tokens.create({ name: '${name} ' + n })`
  const run = promisify(execFile)
  const writers = ['a', 'b', 'c', 'd'].map((name) =>
    run(process.execPath, ['--input-type=module', '-e', script(name), path]),
  )
  await Promise.all(writers)
  expect(open(path).list()).toHaveLength(100)
  expect(await readdir(folder)).toEqual(['tokens.json', 'tokens.json.lock'])
})

test('[S16] what a killed process left half-written is in nobody’s way', async () => {
  const path = join(await temporaryFolder(), 'tokens.json')
  const tokens = open(path)
  await tokens.create({ name: 'ada' })
  await writeFile(`${path}.new`, '[{"ki')
  await utimes(`${path}.new`, 0, 0)
  await tokens.create({ name: 'bob' })
  expect(tokens.list().map(({ name }) => name)).toEqual(['ada', 'bob'])
})
