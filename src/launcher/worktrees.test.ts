import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../test/support/hub.ts'
import { branchOf } from '../io/programs/branch.ts'
import { createFolders } from './folders.ts'
import { createWorktrees } from './worktrees.ts'

async function repository(name = 'shop') {
  const base = realpathSync(await temporaryFolder())
  const [folder, place] = [join(base, name), join(base, 'worktrees')]
  mkdirSync(join(folder, 'src'), { recursive: true })
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { encoding: 'utf8' })
  git('init', '-q', '-b', 'trunk')
  git('commit', '-q', '--allow-empty', '-m', 'first')
  return { folder, place, git, ...createWorktrees({ place, folders: createFolders([base], [place]) }) }
}

test('[O176] a working tree is made in a new branch below the hub’s own place, and is the same when asked again', async () => {
  const { folder, place, git, add } = await repository()
  const made = await add(folder, 'fix/it')
  expect(made.startsWith(join(place, 'shop-'))).toBe(true)
  expect([await branchOf(made), await branchOf(folder)]).toEqual(['fix/it', 'trunk'])
  expect(await add(folder, 'fix/it')).toBe(made)
  // Another name that would look alike in a path.
  expect(await add(folder, 'fix-it')).not.toBe(made)
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(3)
})

test('[O176] asked for at once, it is made once, and is the same for all', async () => {
  const { folder, git, add } = await repository()
  const made = await Promise.all([1, 2, 3].map(() => add(folder, 'one')))
  expect(new Set(made).size).toBe(1)
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(2)
})

test('[O176] from a folder within the repository it is that folder in the new tree, where that is there', async () => {
  const { folder, add } = await repository()
  expect(await add(join(folder, 'src'), 'one')).toMatch(/\/one-[0-9a-f]{8}$/)
})

test('[O176] what git would not take for the name of a branch makes nothing, and no option of git is one', async () => {
  const { folder, git, add } = await repository()
  for (const branch of ['--detach', '-f', 'a..b', 'a b', '@', 'HEAD~1', 'a.lock', '$(touch x)', '/etc', 'trunk'])
    await expect(add(folder, branch), branch).rejects.toMatchObject({ code: 'no_worktree' })
  expect(git('branch', '--list').trim()).toBe('* trunk')
})

test('[O176] in a folder without git, or of a repository outside of the roots, there is none', async () => {
  const { folder, place } = await repository()
  const bare = realpathSync(await temporaryFolder())
  const within = createWorktrees({ place, folders: createFolders([join(folder, 'src')]) })
  await expect(within.add(join(folder, 'src'), 'one')).rejects.toMatchObject({ code: 'folder_forbidden' })
  const { add } = createWorktrees({ place, folders: createFolders([bare]) })
  await expect(add(bare, 'one')).rejects.toThrow(/could not be made \(not a git repository/)
})

test('[S219] for a working tree git runs nothing that lies in the repository, and has nothing of Parley', async () => {
  const { folder, git, add } = await repository()
  const ran = join(folder, '..', 'ran')
  const program = `#!/bin/sh\nenv >> ${ran}; echo ran >> ${ran}\n`
  for (const name of ['git', 'program', '.git/hooks/post-checkout', '.git/hooks/reference-transaction'])
    writeFileSync(join(folder, name), program, { mode: 0o755 })
  writeFileSync(join(folder, '.gitattributes'), '* filter=mine\n')
  git('add', '.gitattributes', 'program')
  git('commit', '-q', '--no-verify', '-m', 'files')
  git('config', 'core.fsmonitor', join(folder, 'program'))
  git('config', 'filter.mine.smudge', join(folder, 'program'))
  git('config', 'filter.mine.required', 'true')
  rmSync(ran, { force: true })
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PATH', `.:${process.env.PATH}`)
  vi.stubEnv('PARLEY_TOKEN', 'secret')
  const made = await add(folder, 'quiet')
  expect(existsSync(join(made, 'program'))).toBe(true)
  expect(existsSync(ran)).toBe(false)
})

test('[O176] a folder whose repository lies outside of the roots gets no working tree of it', async () => {
  const { folder, place, git } = await repository()
  const base = realpathSync(await temporaryFolder())
  const leading = join(base, 'leading')
  mkdirSync(leading)
  writeFileSync(join(leading, '.git'), `gitdir: ${join(folder, '.git')}\n`)
  const { add } = createWorktrees({ place, folders: createFolders([base], [place]) })
  await expect(add(leading, 'mine')).rejects.toMatchObject({ code: 'folder_forbidden' })
  expect(git('branch', '--list').trim()).toBe('* trunk')
})

test('[O324] a folder and a branch with the longest names there are get a working tree, and others another', async () => {
  for (const name of ['x'.repeat(255), `${'漢'.repeat(84)}\n`]) {
    const { folder, git, add } = await repository(name)
    const branches = ['漢'.repeat(83), `${'漢'.repeat(60)}/${'字'.repeat(60)}`, `${'漢'.repeat(60)}/${'字'.repeat(61)}`]
    const made = await Promise.all(branches.map((branch) => add(folder, branch)))
    expect(await Promise.all(made.map(branchOf))).toEqual(branches)
    expect(await Promise.all(branches.map((branch) => add(folder, branch)))).toEqual(made)
    expect(git('branch', '--list').trim().split('\n')).toHaveLength(4)
  }
})

test('[O326] asked for at once in one repository, also from one of its trees, each is made, none beside another', async () => {
  const { folder, git, add } = await repository()
  const [bin, held, beside] = ['bin', 'held', 'beside'].map((name) => join(folder, '..', name)) as [
    string,
    string,
    string,
  ]
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  mkdirSync(bin)
  const alone = `mkdir ${held} || touch ${beside}; ${real} "$@"; code=$?; rmdir ${held}; exit $code`
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n[ "$1" = worktree ] || exec ${real} "$@"\n${alone}\n`, { mode: 0o755 })
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PATH', `${bin}:${process.env.PATH}`)
  const first = await add(folder, 'first')
  const branches = Array.from({ length: 6 }, (_, n) => `at-once-${n}`)
  const made = await Promise.all(branches.map((branch, n) => add(n % 2 === 0 ? folder : first, branch)))
  expect(await Promise.all(made.map(branchOf))).toEqual(branches)
  expect(git('branch', '--list').trim().split('\n')).toHaveLength(8)
  expect(existsSync(beside)).toBe(false)
})

test('[O324] the reason is what git could not do, and not its advice', async () => {
  const { folder, place, git, add } = await repository()
  writeFileSync(join(folder, '.git/refs/heads/held.lock'), '')
  await expect(add(folder, 'held')).rejects.toThrow(/could not be made \(cannot lock ref .*File exists/)
  const empty = join(folder, 'empty')
  git('init', '-q', empty)
  const fresh = createWorktrees({ place, folders: createFolders([folder], [place]) })
  await expect(fresh.add(empty, 'one')).rejects.toThrow('could not be made (it has no commit yet)')
})

test('[O325] a branch of which no git could say that it is there is none', async () => {
  const { folder } = await repository()
  for (const [head, branch] of [
    ['ref: refs/heads/good/one', 'good/one'],
    ['ref: refs/heads/a\u0000b', undefined],
    ['ref: refs/heads/a\u001b[31mb', undefined],
  ] as const) {
    writeFileSync(join(folder, '.git/HEAD'), `${head}\n`)
    expect(await branchOf(folder)).toBe(branch)
  }
})
