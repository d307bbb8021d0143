import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../test/support/hub.ts'
import { png } from '../../test/support/images.ts'
import { createFileStore } from './file-store.ts'

const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

async function openStore(limitBytes?: number) {
  const folder = join(await temporaryFolder(), 'files')
  const store = createFileStore({ folder, limitBytes })
  onTestFinished(store.close)
  const incoming = async () => readdir(join(folder, 'incoming')).catch(() => [])
  return { folder, store, incoming }
}

const text = (content: string) => [Buffer.from(content)]

test('[F1] a file is named by its content, is its owner’s alone, and nothing else is left', async () => {
  const { folder, store, incoming } = await openStore()
  const { hash, size } = await store.save([Buffer.from('Hello, '), Buffer.from('world')])
  expect([hash, size]).toEqual([hashOf('Hello, world'), 12])
  const path = join(folder, hash.slice(0, 2), hash)
  expect(await readFile(path, 'utf8')).toBe('Hello, world')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder, hash.slice(0, 2)))).mode & 0o777).toBe(0o700)
  expect(await incoming()).toEqual([])
})

test('[F2] the same content many times at once, in two stores of one folder, is one whole file', async () => {
  const { folder, store, incoming } = await openStore()
  const other = createFileStore({ folder })
  const content = png(200, 100)
  const saved = await Promise.all([store, other, store, other].map(({ save }) => save([content])))
  expect(new Set(saved.map(({ hash }) => hash)).size).toBe(1)
  expect(await readdir(join(folder, hashOf(content).slice(0, 2)))).toEqual([hashOf(content)])
  expect(await store.read(hashOf(content))).toEqual(content)
  expect(await incoming()).toEqual([])
})

test('[F3] what the bytes say counts, not what a client says', async () => {
  const { store } = await openStore()
  const picture = await store.save([png(30, 20)])
  const { hash: page } = await store.save(text('<script>alert(1)</script>'))
  const said = { name: 'a', mime: 'text/plain' }
  expect(store.describe({ hash: picture.hash, ...said })).toEqual({
    hash: picture.hash,
    name: 'a',
    mime: 'image/png',
    size: picture.size,
    width: 30,
    height: 20,
  })
  expect(store.describe({ hash: page, name: 'a.png', mime: 'image/png' })).toEqual({
    hash: page,
    name: 'a.png',
    mime: 'application/octet-stream',
    size: 25,
  })
  expect(store.describe({ hash: page, name: 'a.svg', mime: 'image/svg+xml' })).not.toHaveProperty('width')
})

test('[F4] what is empty, too large or breaks off leaves nothing behind', async () => {
  const { store, folder, incoming } = await openStore(10)
  await expect(store.save([])).rejects.toThrow('This file is empty')
  await expect(store.save(text('12345678901'))).rejects.toMatchObject({ code: 'file_too_large' })
  async function* breakingOff() {
    yield Buffer.from('12345')
    throw new Error('gone')
  }
  await expect(store.save(breakingOff())).rejects.toThrow('gone')
  expect(await incoming()).toEqual([])
  expect(await readdir(folder)).toEqual(['incoming'])
  expect((await store.save(text('1234567890'))).size).toBe(10)
})

test('[F4] what an upload left that ended with its process is taken away, and what is under way is not', async () => {
  const { store, folder, incoming } = await openStore()
  await store.save(text('x'))
  const [old, fresh] = [join(folder, 'incoming', 'old'), join(folder, 'incoming', 'fresh')]
  for (const draft of [old, fresh]) await writeFile(draft, 'half')
  await utimes(old, 0, 0)
  await store.sweep()
  expect(await incoming()).toEqual(['fresh'])
})

test('[F7] only a hash leads to a file', async () => {
  const { store } = await openStore()
  const { hash } = await store.save(text('secret'))
  const wrong = ['', '..', `../${hash}`, hash.toUpperCase(), hash.slice(1), `${hash}/..`, 'g'.repeat(64), `${hash}\n`]
  for (const bad of wrong) {
    expect(() => store.find(bad)).toThrow('Unknown file')
    await expect(store.read(bad)).rejects.toThrow('Unknown file')
    expect(() => store.describe({ hash: bad, name: 'x', mime: 'text/plain' })).toThrow('Unknown file')
  }
  expect(() => store.find('0'.repeat(64))).toThrow('Unknown file')
})

test('[F10] a program of this machine finds a file under a name whose ending it understands', async () => {
  const { store, folder } = await openStore()
  const content = png(5, 5)
  const { hash } = await store.save([content])
  const { hash: notes } = await store.save(text('notes'))
  const named = async (hash: string, name: string) => basename((await store.pathOf({ hash, name })) ?? '')
  expect(await named(hash, 'photo.PNG')).toBe('photo.png')
  expect(await named(hash, 'a page.html')).toBe('a page.png')
  expect(await named(notes, 'notes.md')).toBe('notes.md')
  expect(await named(notes, '..')).toBe('__')
  expect(await named(notes, '.profile')).toBe('file.profile')
  expect(await named(notes, 'a:b|c?.TXT')).toBe('a_b_c_.txt')
  expect((await named(notes, `${'ü'.repeat(180)}.txt`)).length).toBe(64)
  const path = (await store.pathOf({ hash, name: 'photo.png' })) ?? ''
  expect(path.startsWith(folder)).toBe(true)
  expect(await readFile(path)).toEqual(content)
  expect(await store.pathOf({ hash: '0'.repeat(64), name: 'x' })).toBeUndefined()
})

test('[F11] the files of a hub that keeps nothing are gone when it closes', async () => {
  const store = createFileStore({})
  const { hash } = await store.save(text('for now'))
  const path = (await store.pathOf({ hash, name: 'x.txt' })) ?? ''
  expect(existsSync(path)).toBe(true)
  await store.close()
  expect(existsSync(path)).toBe(false)
})
