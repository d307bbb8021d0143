import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../test/support/hub.ts'
import { branchOf } from '../io/programs/branch.ts'
import { createFolders } from './folders.ts'
import { createWorktrees } from './worktrees.ts'

async function repository() {
  const base = realpathSync(await temporaryFolder())
  const [folder, place] = [join(base, 'shop'), join(base, 'worktrees')]
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
