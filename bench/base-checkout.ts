import { spawnSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * The program of another checkout: a folder with one that is built, or a revision of this repository, which is checked
 * out and built below `home` and goes with it. Nothing where there is none.
 */
export function programOf(base: string, home: string): string | undefined {
  const folder = existsSync(base) ? resolve(base) : checkedOut(base, join(home, 'base'))
  return folder !== undefined && existsSync(join(folder, 'dist/current')) ? join(folder, 'bin/parley.js') : undefined
}

function checkedOut(revision: string, folder: string): string | undefined {
  if (!did(ROOT, 'git', 'worktree', 'add', '--detach', folder, revision)) return undefined
  process.on('exit', () => did(ROOT, 'git', 'worktree', 'prune'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return did(folder, process.execPath, 'scripts/build.ts') ? folder : undefined
}

function did(cwd: string, command: string, ...words: string[]): boolean {
  return spawnSync(command, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
}
