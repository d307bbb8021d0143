import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { branchOf } from '../io/programs/branch.ts'
import { lastLine } from '../io/programs/last-line.ts'
import { ParleyError } from '../protocol/errors.ts'
import { type Folders, realFolder } from './folders.ts'

interface WorktreesParts {
  /** The one place where they are made. */
  place: string
  folders: Pick<Folders, 'mustBeAllowed'>
}

const LONGEST_MS = 120_000
const DIGEST = 8
const NO_NAME = 'it is no name for a branch'
/** They would lead git to another repository than that of the folder. */
const LEADING = /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|NAMESPACE|PREFIX)$/i

/** Makes working trees of the repositories of folders, each in a branch of its own. */
export function createWorktrees({ place, folders }: WorktreesParts) {
  return { add }

  /** The folder in the new working tree; the one that is there already where the same was asked before. */
  async function add(folder: string, branch: string): Promise<string> {
    const git = gitFor(branch)
    // Git's own rule for names; not its `--branch`, which takes `@{-1}` for the last one.
    if (/^-|^(@|HEAD)$/.test(branch)) throw new ParleyError('no_worktree', { branch, reason: NO_NAME })
    await git(folder, ['check-ref-format', `refs/heads/${branch}`])
    const repository = await folders.mustBeAllowed(await git(folder, ['rev-parse', '--show-toplevel']))
    const tree = join(place, named(repository, basename(repository)), named(branch, branch.replaceAll('/', '-')))
    if ((await realFolder(tree)) === undefined) {
      await mkdir(dirname(tree), { recursive: true, mode: 0o700 })
      await git(folder, ['worktree', 'add', '-b', branch, tree])
    } else if ((await branchOf(tree)) !== branch) {
      throw new ParleyError('no_worktree', { branch, reason: `${tree} is in the way` })
    }
    const within = join(tree, relative(repository, folder))
    return (await realFolder(within)) ?? (await folders.mustBeAllowed(tree))
  }
}

/** Two of them never share a folder. */
function named(whole: string, short: string): string {
  return `${short}-${hash('sha256', whole).slice(0, DIGEST)}`
}

function gitFor(branch: string) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !LEADING.test(name)))
  return async (cwd: string, args: string[]): Promise<string> => {
    try {
      const { stdout } = await promisify(execFile)('git', args, {
        cwd,
        env: { ...env, GIT_TERMINAL_PROMPT: '0' },
        timeout: LONGEST_MS,
        windowsHide: true,
      })
      return stdout.trim()
    } catch (error) {
      throw new ParleyError('no_worktree', { branch, reason: reasonIn(error) }, error)
    }
  }
}

function reasonIn(error: unknown): string {
  const { stderr = '', code } = error as { stderr?: string; code?: unknown }
  if (code === 'ENOENT') return 'git is not installed'
  return lastLine(stderr)?.replace(/^fatal: /, '') ?? NO_NAME
}
