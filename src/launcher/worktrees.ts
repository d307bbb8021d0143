import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { branchOf } from '../io/programs/branch.ts'
import { lastLine } from '../io/programs/last-line.ts'
import { createQueues } from '../io/queues.ts'
import { ParleyError } from '../protocol/errors.ts'
import { type Folders, realFolder } from './folders.ts'
import { launchEnvironment } from './launch-environment.ts'

interface WorktreesParts {
  /** The one place where they are made. */
  place: string
  folders: Pick<Folders, 'mustBeAllowed'>
}

const LONGEST_MS = 120_000
const DIGEST = 8
/** Of the 255 bytes that a system allows: the digest comes behind it, and git's own number for those of the same name. */
const LONGEST_NAME = 235
const NO_NAME = 'it is not a name for a branch'
/** What gits of different ages say of a repository in which nothing was committed. */
const NO_COMMIT = ["not a valid object name: 'HEAD'", 'invalid reference: HEAD']
/** Any of these would lead git to another repository than that of the folder, or run something. */
const GIT_OWN = /^(GIT_|SSH_ASKPASS)/i
/** Git fetches nothing, and asks nobody. */
const ALONE = { GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: '' }
export const HARMLESS: Setting[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
]

type Setting = [name: string, value: string]

/** Makes working trees of the repositories of folders, each in a branch of its own. */
export function createWorktrees({ place, folders }: WorktreesParts) {
  const queues = createQueues()
  return { add, find }

  /** The folder in the new working tree; the one that is there already where the same was asked before. */
  async function add(folder: string, branch: string): Promise<string> {
    const { tree, below, shared } = await placeOf(folder, branch)
    // Two that git makes at once may fail one another, and leave their branches.
    await queues.add(shared, () => make(folder, tree, branch))
    return folderIn(tree, below)
  }

  /** The same where it is there, and nothing where it would have to be made. */
  async function find(folder: string, branch: string): Promise<string | undefined> {
    const { tree, below } = await placeOf(folder, branch)
    return (await realFolder(tree)) === undefined ? undefined : folderIn(tree, below)
  }

  /** Where the working tree is or would be, the folder below it, and what all trees of the repository share. */
  async function placeOf(folder: string, branch: string) {
    const git = gitFor(branch, HARMLESS)
    // Git's own rule for names; not its `--branch`, which takes `@{-1}` for the last one.
    if (/^-|^(@|HEAD)$/.test(branch)) throw new ParleyError('no_worktree', { branch, reason: NO_NAME })
    await git(folder, ['check-ref-format', `refs/heads/${branch}`])
    const repository = await folders.mustBeAllowed(await git(folder, ['rev-parse', '--show-toplevel']))
    // A file in its place may lead to a repository that is elsewhere.
    const shared = await folders.mustBeAllowed(resolve(folder, await git(folder, ['rev-parse', '--git-common-dir'])))
    const tree = join(place, named(repository, basename(repository)), named(branch, branch.replaceAll('/', '-')))
    return { tree, below: relative(repository, folder), shared }
  }

  /** What is a folder here may be a link there. */
  async function folderIn(tree: string, below: string): Promise<string> {
    return folders.mustBeAllowed((await realFolder(join(tree, below))) ?? tree)
  }

  async function make(folder: string, tree: string, branch: string) {
    if ((await realFolder(tree)) === undefined) {
      await mkdir(dirname(tree), { recursive: true, mode: 0o700 })
      const names = await gitFor(branch, HARMLESS)(folder, [
        'config',
        '--null',
        '--show-scope',
        '--name-only',
        '--list',
      ])
      const quiet = gitFor(branch, [...HARMLESS, ...withoutFilters(names)])
      await quiet(folder, ['worktree', 'add', '-b', branch, tree])
    } else if ((await branchOf(tree)) !== branch) {
      throw new ParleyError('no_worktree', { branch, reason: `${tree} is in the way` })
    }
  }
}

/** Two of them never share a folder, and no name is longer than one may be. */
function named(whole: string, short: string): string {
  let shown = short
  while (Buffer.byteLength(shown) > LONGEST_NAME) shown = shown.slice(0, -1).toWellFormed()
  return `${shown}-${hash('sha256', whole).slice(0, DIGEST)}`
}

/** Filters are programs for the contents of files: those of the person work, and none that the repository names. */
function withoutFilters(scopesAndNames: string): Setting[] {
  const fields = scopesAndNames.split('\0')
  const named = fields.filter((name, n) => n % 2 === 1 && name.startsWith('filter.') && !isOwners(fields[n - 1]))
  const filters = new Set(named.map((name) => name.slice(0, name.lastIndexOf('.'))))
  return [...filters].flatMap((filter): Setting[] => [
    [`${filter}.smudge`, ''],
    [`${filter}.clean`, ''],
    [`${filter}.process`, ''],
    [`${filter}.required`, 'false'],
  ])
}

function isOwners(scope: string | undefined): boolean {
  return scope === 'global' || scope === 'system'
}

/** Git with these settings, whatever the repository has: it runs nothing that lies there. */
function gitFor(branch: string, settings: Setting[]) {
  const env = gitEnvironment(settings)
  return async (cwd: string, args: string[]): Promise<string> => {
    try {
      const options = { cwd, env, timeout: LONGEST_MS, windowsHide: true }
      const { stdout } = await promisify(execFile)('git', args, options)
      return stdout.replace(/\n$/, '')
    } catch (error) {
      throw new ParleyError('no_worktree', { branch, reason: reasonIn(error) }, error)
    }
  }
}

export function gitEnvironment(settings: Setting[]): Record<string, string> {
  const own = Object.entries(launchEnvironment()).filter(([name]) => !GIT_OWN.test(name))
  const given = settings.flatMap(([name, value], n) => [
    [`GIT_CONFIG_KEY_${n}`, name],
    [`GIT_CONFIG_VALUE_${n}`, value],
  ])
  return { ...Object.fromEntries([...own, ...given]), GIT_CONFIG_COUNT: String(settings.length), ...ALONE }
}

function reasonIn(error: unknown): string {
  const { stderr = '', code } = error as { stderr?: string; code?: unknown }
  if (code === 'ENOENT') return 'git is not installed'
  // Lines of advice come behind it.
  const fatal = /^fatal: (.+)$/m.exec(stderr)?.[1]
  if (fatal !== undefined && NO_COMMIT.includes(fatal)) return 'it has no commit yet'
  return lastLine(fatal ?? stderr) ?? NO_NAME
}
