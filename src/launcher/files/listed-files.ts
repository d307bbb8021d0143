import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { isIn } from '../../io/disk/is-in.ts'
import { ignoring } from '../../io/system-error.ts'
import { isRefusal } from '../../protocol/refusal.ts'
import type { Folders } from '../folders.ts'
import { gitEnvironment, HARMLESS } from '../worktrees.ts'

const MOST_FILES = 50_000
const MOST_BYTES = 16 * 1024 * 1024
const LONGEST_MS = 10_000
/** What nobody means who looks for a file, where no git says so. */
const SKIPPED = /^\.|^node_modules$/

/** The paths of the files below a folder, without those that git ignores; no link is followed. */
export async function listedFiles(folder: string, folders: Pick<Folders, 'mustBeAllowed'>): Promise<string[]> {
  return (await knownToGit(folder, folders)) ?? walked(folder)
}

/** Nothing where the folder is in no repository, or in one that is elsewhere. */
async function knownToGit(folder: string, folders: Pick<Folders, 'mustBeAllowed'>): Promise<string[] | undefined> {
  const places = await git(folder, ['rev-parse', '--git-common-dir', '--show-toplevel'])
  const [own = '', top = ''] = places?.trimEnd().split('\n') ?? []
  // Its settings may say that its files are elsewhere.
  if (!isIn(resolve(top), folder) || !(await isAllowed(resolve(folder, own), folders))) return undefined
  const listing = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const names = await git(folder, ['--work-tree', top, ...listing])
  return names?.split('\0').filter(Boolean).slice(0, MOST_FILES)
}

async function isAllowed(path: string, folders: Pick<Folders, 'mustBeAllowed'>): Promise<boolean> {
  try {
    await folders.mustBeAllowed(path)
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

/** Nothing where git is not there, or says no. */
async function git(cwd: string, args: string[]): Promise<string | undefined> {
  const options = { cwd, env: gitEnvironment(HARMLESS), timeout: LONGEST_MS, maxBuffer: MOST_BYTES, windowsHide: true }
  const answer = await promisify(execFile)('git', args, options).catch((error: { code?: unknown; stdout?: string }) =>
    error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER' ? { stdout: error.stdout ?? '' } : undefined,
  )
  return answer?.stdout
}

async function walked(folder: string): Promise<string[]> {
  const paths: string[] = []
  const coming = ['']
  for (let at = 0; at < coming.length && paths.length < MOST_FILES && coming.length < MOST_FILES; at++) {
    const within = coming[at] ?? ''
    const entries = (await readdir(resolve(folder, within), { withFileTypes: true }).catch(ignoring())) ?? []
    for (const entry of entries) {
      if (SKIPPED.test(entry.name)) continue
      if (entry.isDirectory()) coming.push(`${within}${entry.name}/`)
      else if (entry.isFile()) paths.push(within + entry.name)
    }
  }
  return paths
}
