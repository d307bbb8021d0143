import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderChanges } from './folder-changes.ts'

const IN_TIME = new AbortController().signal
const NOBODY = 65534

test('[O321] each difference is that of its own file, whatever is written in a file', async () => {
  const { write, changes } = aRepository()
  await changes.begin(IN_TIME)
  write('a.txt', 'first\rdiff --git a/x b/x\r\u2028diff --git a/y b/y\nhidden?\n')
  write('b.txt', 'second\n')
  const files = (await changes.read())?.files ?? []
  expect(files.map(({ path, patch = '' }) => [path, patch.split('\n')[0], patch.split('\n').at(-2)])).toEqual([
    ['a.txt', 'diff --git a/a.txt b/a.txt', '+hidden?'],
    ['b.txt', 'diff --git a/b.txt b/b.txt', '+second'],
  ])
})

test('[O321] a file with tabs and other signs in its name is compared like all others', async () => {
  const { write, changes } = aRepository()
  await changes.begin(IN_TIME)
  const path = '\u65e5\u672c\n"x\t\ty.txt'
  write(path, 'one\n')
  for (const found of [await changes.read(), await changes.read(path)])
    expect(found?.files).toMatchObject([{ path, added: 1, removed: 0, patch: expect.stringContaining('+one') }])
})

test('[O321] a large file that is gone is said to be, and one that is only ignored by now is not', async () => {
  const { folder, write, changes } = aRepository()
  for (const name of ['gone.bin', 'ignored.bin']) write(name, 'x'.repeat(1_100_000))
  await changes.begin(IN_TIME)
  rmSync(join(folder, 'gone.bin'))
  write('.gitignore', 'ignored.bin\n')
  expect((await changes.read())?.files.map(({ path, kind, without }) => [path, kind, without])).toEqual([
    ['.gitignore', 'added', undefined],
    ['gone.bin', 'deleted', 'large'],
  ])
})

test('[O321] a file that nobody can read, or call by its name, is said to be left out, and no other is', async () => {
  const { folder, write, place, changes } = aRepository()
  await changes.begin(IN_TIME)
  write('new.txt', 'new\n')
  write('secret.txt', 'x')
  execFileSync('sh', ['-c', `printf x > "$(printf 'caf\\351')"`], { cwd: folder })
  chmodSync(join(folder, 'secret.txt'), 0)
  expect(await readAsOther(folder, place)).toMatchObject({
    files: [{ path: 'new.txt', added: 1 }],
    left_out: ['Not compared, because nobody can read them: caf\ufffd, secret.txt'],
  })
})

test('[O321] a folder whose name has several lines is one without such changes', async () => {
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'odd-'))), 'a\nb')
  mkdirSync(folder)
  execFileSync('git', ['init', '-q'], { cwd: folder })
  const changes = folderChanges(folder, join(folder, '..', 'place'))
  await changes.begin(IN_TIME)
  expect(await changes.read()).toBeUndefined()
})

/** Root reads everything. */
async function readAsOther(folder: string, place: string): Promise<unknown> {
  if (process.getuid?.() !== 0) return folderChanges(folder, place).read()
  for (const each of [join(folder, '..'), place]) execFileSync('chown', ['-R', String(NOBODY), each])
  const script = `
    const { folderChanges } = await import(${JSON.stringify(new URL('./folder-changes.ts', import.meta.url).href)})
    console.log(JSON.stringify(await folderChanges(${JSON.stringify(folder)}, ${JSON.stringify(place)}).read() ?? null))`
  const args = ['--input-type=module', '-e', script]
  const options = { uid: NOBODY, gid: NOBODY, env: { ...process.env, HOME: place }, encoding: 'utf8' as const }
  return JSON.parse(execFileSync(process.execPath, args, options))
}

function aRepository() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'odd-')))
  const [folder, place] = [join(top, 'work'), join(top, 'place')]
  for (const each of [folder, place]) mkdirSync(each)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
  git('init', '-q', '-b', 'main')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first')
  return { folder, place, changes: folderChanges(folder, place), write }

  function write(path: string, text: string) {
    writeFileSync(join(folder, path), text)
  }
}
