import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/hub.ts'
import { createFolders } from '../folders.ts'
import { createFolderFiles } from './folder-files.ts'

async function places() {
  const base = realpathSync(await temporaryFolder())
  const root = join(base, 'root')
  const put = (path: string, text: string | Buffer = 'text') => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  mkdirSync(join(base, 'elsewhere'))
  writeFileSync(join(base, 'elsewhere/secret.txt'), 'secret')
  let now = 0
  const files = createFolderFiles({ folders: createFolders([root]), now: () => now })
  return { base, root, put, ...files, later: () => (now += 60_000) }
}

test('[F30] files are found by name, the best first, without those that git ignores, also new ones', async () => {
  const { root, put, find, later } = await places()
  for (const path of [
    'src/search.ts',
    'src/log/search-words.ts',
    'docs/research.md',
    'search/README.md',
    'out/search.js',
  ])
    put(path)
  put('.gitignore', 'out/\n*.env\n')
  put('secret-search.env')
  execFileSync('git', ['init', '-q', root])
  const { paths, has_more } = await find(root, 'search')
  expect(paths).toEqual(['src/search.ts', 'src/log/search-words.ts', 'docs/research.md', 'search/README.md'])
  expect(has_more).toBe(false)
  expect((await find(root, 'ssw')).paths).toEqual(['src/log/search-words.ts'])
  put('new/searching.ts')
  later()
  expect((await find(root, 'searching')).paths).toEqual(['new/searching.ts'])
})

test('[F30] a repository runs nothing of its own, and without one what is hidden or installed is left out', async () => {
  const { base, root, put, find } = await places()
  for (const path of ['plain/a.ts', 'plain/.hidden/b.ts', 'plain/node_modules/c.ts', 'hostile/d.ts']) put(path)
  symlinkSync(join(base, 'elsewhere'), join(root, 'plain/out'))
  expect((await find(join(root, 'plain'), '')).paths).toEqual(['a.ts'])
  const hostile = join(root, 'hostile')
  execFileSync('git', ['init', '-q', hostile])
  execFileSync('git', ['-C', hostile, 'config', 'core.fsmonitor', `touch ${join(base, 'ran')}; false`])
  expect((await find(hostile, '')).paths).toEqual(['d.ts'])
  await expect(find(base, '')).rejects.toMatchObject({ code: 'folder_forbidden' })
  expect(() => realpathSync(join(base, 'ran'))).toThrow()
})

test('[F30] of thousands of files twenty come, and that there are more is said', async () => {
  const { root, put, find } = await places()
  for (let n = 0; n < 3000; n++) put(`many/${n % 50}/file-${n}.ts`)
  const { paths, has_more } = await find(root, 'file-29')
  expect([paths.length, has_more, paths[0]]).toEqual([20, true, 'many/29/file-29.ts'])
})

test('[F32] a file is shown as it is now; links and dots that lead out of the folder are refused', async () => {
  const { base, root, put, show } = await places()
  put('work/a.ts', 'one\ntwo')
  put('beside.txt')
  const work = join(root, 'work')
  const file = { path: 'a.ts', size: 7, text: 'one\ntwo' }
  expect([await show(work, 'a.ts'), await show(work, join(work, 'a.ts')), await show(work, './x/../a.ts')]).toEqual([
    file,
    file,
    file,
  ])
  symlinkSync(join(base, 'elsewhere/secret.txt'), join(work, 'link.txt'))
  symlinkSync(join(base, 'elsewhere'), join(work, 'linked'))
  symlinkSync('a.ts', join(work, 'within.ts'))
  expect(await show(work, 'within.ts')).toEqual(file)
  for (const path of [
    'link.txt',
    'linked/secret.txt',
    '../beside.txt',
    join(base, 'elsewhere/secret.txt'),
    '/etc/passwd',
  ])
    await expect(show(work, path), path).rejects.toMatchObject({ code: 'file_outside' })
  execFileSync('mkfifo', [join(work, 'pipe')])
  for (const path of ['none.ts', '.', 'pipe', 'a.ts/b'])
    await expect(show(work, path), path).rejects.toMatchObject({ code: 'file_gone' })
  await expect(show(base, 'root/work/a.ts')).rejects.toMatchObject({ code: 'folder_forbidden' })
})

test('[F32] what is no text or too large is said to be so, and is not sent', async () => {
  const { root, put, show } = await places()
  put('image.png', Buffer.from([137, 80, 78, 71, 0, 1]))
  put('large.log', 'x'.repeat(1024 * 1024 + 1))
  put('fits.log', 'x'.repeat(1024 * 1024))
  expect(await show(root, 'image.png')).toEqual({ path: 'image.png', size: 6, unshown: 'binary' })
  expect(await show(root, 'large.log')).toEqual({ path: 'large.log', size: 1_048_577, unshown: 'large' })
  expect((await show(root, 'fits.log')).text).toHaveLength(1_048_576)
})

test('[F34] a repository that names another folder as its own lists nothing of that', async () => {
  const { base, root, put, find } = await places()
  put('work/a.ts')
  const work = join(root, 'work')
  execFileSync('git', ['init', '-q', work])
  for (const elsewhere of [join(base, 'elsewhere'), base]) {
    execFileSync('git', ['-C', work, 'config', 'core.worktree', elsewhere])
    const { find } = createFolderFiles({ folders: createFolders([root]), now: () => 0 })
    expect((await find(work, '')).paths).toEqual(['a.ts'])
  }
  expect((await find(root, 'secret')).paths).toEqual([])
})

test('[F35] a folder that is swapped for a link while its file is opened, and back again, shows nothing of elsewhere', async () => {
  const { base, root, put, show } = await places()
  put('work/in/secret.txt', 'mine')
  const [inside, away] = [join(root, 'work/in'), join(root, 'work/away')]
  const swapping = spawn(process.execPath, ['-e', SWAP, inside, away, join(base, 'elsewhere')])
  onTestFinished(() => void swapping.kill())
  await once(swapping.stdout, 'data')
  const seen = new Set<string | undefined>()
  for (let n = 0; n < 3000; n++)
    seen.add(
      await show(join(root, 'work'), 'in/secret.txt').then(
        ({ text }) => text,
        () => 'mine',
      ),
    )
  expect([...seen]).toEqual(['mine'])
})

/** Puts a link in the place of a folder and takes it away again, over and over. */
const SWAP = `
const { renameSync, symlinkSync, unlinkSync } = require('node:fs')
const [, inside, away, elsewhere] = process.argv
console.log('ready')
for (;;) {
  renameSync(inside, away)
  symlinkSync(elsewhere, inside)
  unlinkSync(inside)
  renameSync(away, inside)
}
`
