import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { branchOf } from '../../io/programs/branch.ts'
import { folderChanges } from './folder-changes.ts'

const IN_TIME = new AbortController().signal

test('[O210] what was there at the start is no change of the agent, committed or not', async () => {
  const { folder, write, git, changes } = aRepository({
    'a.txt': 'one\ntwo\nthree\n',
    'gone.txt': 'x\n',
    'old name.txt': lines(30),
  })
  write('a.txt', 'one\nTWO of the person\nthree\n')
  write('person.txt', 'mine\n')
  await changes.begin(IN_TIME)
  write('a.txt', 'one\nTWO of the person\nthree\nfour\n')
  write('deep/new.txt', 'hello\n')
  rmSync(join(folder, 'gone.txt'))
  git('mv', 'old name.txt', 'new name.txt')
  git('commit', '-qam', 'what the agent commits counts, too')
  const found = await changes.read()
  expect(found).toMatchObject({ against: 'start', branch: 'main', folder, left_out: [] })
  expect(found?.files.map(({ patch: _, ...file }) => file)).toEqual([
    { path: 'a.txt', kind: 'changed', added: 1, removed: 0 },
    { path: 'deep/new.txt', kind: 'added', added: 1, removed: 0 },
    { path: 'gone.txt', kind: 'deleted', added: 0, removed: 1 },
    { path: 'new name.txt', was: 'old name.txt', kind: 'renamed', added: 0, removed: 0 },
  ])
  expect(found?.files[0]?.patch).toContain(' three\n+four\n')
  expect((await changes.read('a.txt'))?.files.map(({ path }) => path)).toEqual(['a.txt'])
  expect((await changes.read('person.txt'))?.files).toEqual([])
})

test('[O210] where there is no time to look at every file, the commit is what counts', async () => {
  const { write, changes, place } = aRepository({ 'a.txt': 'one\n' })
  write('a.txt', 'two\n')
  // Nobody can write the index now.
  writeFileSync(join(place, 'index.lock'), '')
  await changes.begin(IN_TIME)
  expect(await changes.read()).toMatchObject({ against: 'commit', files: [{ path: 'a.txt', added: 1, removed: 1 }] })
})

test('[O211] nothing that the settings of a repository name is run, and nothing is written there', async () => {
  const { folder, write, git, changes, place } = aRepository({
    'a.txt': 'one\n',
    '.gitattributes': '* filter=evil diff=evil\n',
  })
  const ran = join(place, 'ran')
  const program = join(folder, 'evil.sh')
  write('evil.sh', `#!/bin/sh\necho "$0 $*" >> '${ran}'\ncat\n`)
  chmodSync(program, 0o755)
  for (const hook of ['post-index-change', 'fsmonitor-watchman', 'pre-commit']) {
    mkdirSync(join(folder, '.git/hooks'), { recursive: true })
    writeFileSync(join(folder, '.git/hooks', hook), `#!/bin/sh\necho ${hook} >> '${ran}'\n`, { mode: 0o755 })
  }
  for (const [name, value] of [
    ['core.fsmonitor', program],
    ['core.hooksPath', join(folder, '.git/hooks')],
    ['diff.external', program],
    ['diff.evil.textconv', program],
    ['diff.evil.command', program],
    ['filter.evil.clean', program],
    ['filter.evil.smudge', program],
    ['filter.evil.process', program],
    ['filter.evil.required', 'true'],
    ['core.pager', program],
    ['core.worktree', '/'],
  ] as const)
    git('config', name, value)
  // Whoever would run git inside the folder finds this one first.
  write('git', `#!/bin/sh\necho git >> '${ran}'\n`)
  chmodSync(join(folder, 'git'), 0o755)
  const before = withPath(`${folder}:.:`, () => changes.begin(IN_TIME))
  await before
  const objects = git('-c', 'core.worktree=', 'count-objects').trim()
  write('a.txt', 'two\n')
  write('b.txt', 'new\n')
  const found = await withPath(`${folder}:.:`, () => changes.read())
  expect(found?.files.map(({ path }) => path)).toEqual(['a.txt', 'b.txt'])
  expect(existsSync(ran) && readFileSync(ran, 'utf8')).toBe(false)
  expect(git('-c', 'core.worktree=', 'count-objects').trim()).toBe(objects)
})

test('[O212] nothing outside the folder is ever shown', async () => {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'outside-')))
  writeFileSync(join(outside, 'secret.txt'), 'top secret\n')
  const { folder, write, git } = aRepository({ 'a.txt': 'one\n', 'inner/a.txt': 'inner\n' })
  const inner = folderChanges(join(folder, 'inner'), mkdtempSync(join(tmpdir(), 'place-')))
  await inner.begin(IN_TIME)
  symlinkSync(join(outside, 'secret.txt'), join(folder, 'inner/link.txt'))
  symlinkSync(outside, join(folder, 'inner/folder'))
  write('a.txt', 'two\n')
  write('inner/a.txt', 'changed\n')
  git('config', 'core.worktree', outside)
  const found = await inner.read()
  expect(found?.files.map(({ path }) => path)).toEqual(['a.txt', 'folder', 'link.txt'])
  expect(JSON.stringify(found)).not.toContain('top secret')
  for (const path of ['../a.txt', join(outside, 'secret.txt'), 'folder/secret.txt', ':/a.txt', '*'])
    expect((await inner.read(path))?.files).toEqual([])
  // Another repository in the place of the one that was offered.
  const other = aRepository({ 'secret.txt': 'top secret\n' })
  rmSync(join(folder, '.git'), { recursive: true })
  write('.git', `gitdir: ${join(other.folder, '.git')}\n`)
  expect(await inner.read()).toBeUndefined()
})

test('[O213] what is too large, no text, or a secret is said to be so', async () => {
  const { write, changes } = aRepository({ 'a.txt': 'one\n', 'long.txt': 'x\n' })
  write('large-before.bin', 'x'.repeat(1_100_000))
  await changes.begin(IN_TIME)
  write('large.txt', 'y'.repeat(1_100_000))
  write('picture.bin', '\0\x01\x02')
  write('long.txt', lines(20_000))
  write('.env', 'API_KEY=sk-ant-REDACTED\n')
  const found = await changes.read()
  expect(found?.files.map(({ path, without }) => [path, without])).toEqual([
    ['.env', undefined],
    ['long.txt', 'long'],
    ['picture.bin', 'binary'],
    ['large.txt', 'large'],
  ])
  expect(found?.files[0]?.patch).not.toContain('9f8e7d6c5b4a')
  const long = (await changes.read('long.txt'))?.files[0]
  expect(long?.patch).toContain('line 19999')
})

test('[O210] a folder without git has no such changes, nor one whose git came later; forgetting leaves nothing', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plain-')))
  const place = join(folder, '..', 'place-of-plain')
  const changes = folderChanges(folder, place)
  await changes.begin(IN_TIME)
  expect(await changes.read()).toBeUndefined()
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder })
  expect(await changes.read()).toBeUndefined()
  expect(await branchOf(folder)).toBe('main')
  const fresh = folderChanges(folder, place)
  await fresh.begin(IN_TIME)
  writeFileSync(join(folder, 'first.txt'), 'before any commit\n')
  expect((await fresh.read())?.files.map(({ path, kind }) => [path, kind])).toEqual([['first.txt', 'added']])
  await fresh.forget()
  expect(existsSync(place)).toBe(false)
})

function aRepository(files: Record<string, string>) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'repository-')))
  const place = join(realpathSync(mkdtempSync(join(tmpdir(), 'place-'))), 'own')
  mkdirSync(place)
  for (const [path, text] of Object.entries(files)) write(path, text)
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first')
  git('config', 'user.name', 'a')
  git('config', 'user.email', 'a@b')
  return { folder, place, write, git, changes: folderChanges(folder, place) }

  function git(...args: string[]): string {
    return execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
  }

  function write(path: string, text: string) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

async function withPath<Result>(first: string, work: () => Promise<Result>): Promise<Result> {
  const { PATH } = process.env
  process.env.PATH = first + PATH
  try {
    return await work()
  } finally {
    process.env.PATH = PATH
  }
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, n) => `line ${n}\n`).join('')
}

test('[O211] an index that the repository wants split is written whole, and nothing of it there', async () => {
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`${n}.txt`, `${n}\n`]))
  const { folder, write, git, changes } = aRepository(files)
  git('config', 'core.splitIndex', 'true')
  const before = readdirSync(join(folder, '.git'))
  await changes.begin(IN_TIME)
  write('new.txt', 'new\n')
  expect((await changes.read())?.files.map(({ path }) => path)).toEqual(['new.txt'])
  expect(readdirSync(join(folder, '.git'))).toEqual(before)
  // One that is split by now stays readable.
  git('update-index', '--split-index')
  write('new.txt', 'newer\n')
  expect((await changes.read())?.files).toMatchObject([{ path: 'new.txt', added: 1 }])
})

test('[O212] a folder that became a link out of it is what is gone', async () => {
  const { folder, changes } = aRepository({ 'a/b.txt': 'one\n', 'c.txt': 'c\n' })
  await changes.begin(IN_TIME)
  const outside = mkdtempSync(join(realpathSync(tmpdir()), 'parley-outside-'))
  writeFileSync(join(outside, 'b.txt'), 'secret\n')
  rmSync(join(folder, 'a'), { recursive: true })
  symlinkSync(outside, join(folder, 'a'))
  const found = await changes.read()
  expect(JSON.stringify(found)).not.toContain('secret')
  expect(found?.files.map(({ path, kind }) => [path, kind])).toEqual([
    ['a', 'added'],
    ['a/b.txt', 'deleted'],
  ])
})
