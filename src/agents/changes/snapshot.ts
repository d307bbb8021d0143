import type { Stats } from 'node:fs'
import { access, constants, lstat } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { ifSystemError, ignoring } from '../../io/system-error.ts'
import type { Git } from './git.ts'

/** A file with more is not compared. */
const FILE_LIMIT_BYTES = 1024 * 1024
const MOST_FILES = 5000
const MOST_NAMED = 3
const WHOLE_FOLDER = ['--', '.']

interface SnapshotPlace {
  /** Holds the index and the objects that come to be. */
  index: string
  objects: string
  /** Where git looks for what is there already. */
  known: string[]
}

export interface Snapshot {
  tree: string
  /** Files that are too large, by path, with what tells whether they were changed. */
  large: Record<string, string>
  /** Sentences about what is not in it. */
  left_out: string[]
}

/** The folder as it is now, as a tree of git. What git ignores is not in it; nothing is written in the repository. */
export async function takeSnapshot(git: Git, folder: string, place: SnapshotPlace): Promise<Snapshot> {
  const environment = environmentOf(place)
  const left_out: string[] = []
  const [known, fresh] = await Promise.all([
    listed([
      'diff-files',
      '--name-only',
      '-z',
      '--relative',
      '--ignore-submodules=dirty',
      '--no-ext-diff',
      ...WHOLE_FOLDER,
    ]),
    listed(['ls-files', '--others', '--exclude-standard', '-z', ...WHOLE_FOLDER]),
  ])
  if (known.isCut || fresh.isCut)
    left_out.push(`More than ${MOST_FILES.toLocaleString('en')} files are new or changed: only the first are compared`)
  const large: Snapshot['large'] = {}
  const links = new Map<string, boolean>()
  const paths: string[] = []
  const gone: string[] = []
  const unread: string[] = []
  for (const path of [...known.paths, ...fresh.paths]) {
    // Git takes no such path, and refuses all others with it.
    if (await isBehindLink(path)) {
      gone.push(path)
      continue
    }
    // What is gone is compared, too.
    const found = await lstat(join(folder, path)).catch(ignoring('ENOENT', 'ENOTDIR'))
    if (found?.isFile() && found.size > FILE_LIMIT_BYTES) large[path] = `${found.size} ${found.mtimeMs}`
    else if (isSpecial(found)) continue
    // Git refuses all others with one that it cannot read, or finds by no name.
    else if (await isUnread(path, found)) unread.push(path)
    else paths.push(path)
  }
  if (unread.length > 0) left_out.push(`Not compared, because nobody can read them: ${namesOf(unread)}`)
  if (gone.length > 0) await update(['--force-remove'], gone)
  await update(['--add', '--remove'], paths)
  const { text } = await git.run(['write-tree'], { environment })
  return { tree: text.trim(), large, left_out }

  /** A folder in its path became a link. */
  async function isBehindLink(path: string): Promise<boolean> {
    const above = dirname(path)
    if (above === '.') return false
    const known = links.get(above)
    if (known !== undefined) return known
    const found = await lstat(join(folder, above)).catch(ignoring('ENOENT', 'ENOTDIR'))
    const isLink = found?.isSymbolicLink() || (await isBehindLink(above))
    links.set(above, isLink)
    return isLink
  }

  async function isUnread(path: string, found: Stats | undefined): Promise<boolean> {
    if (!found) return path.includes('\ufffd')
    if (!found.isFile()) return false
    // One that is gone by now is none of them.
    const isForbidden = ifSystemError(({ code }) => code !== 'ENOENT')
    return access(join(folder, path), constants.R_OK).then(() => false, isForbidden)
  }

  async function update(how: string[], paths: string[]) {
    const input = paths.map((path) => `${path}\0`).join('')
    await git.run(['update-index', ...how, '-z', '--stdin'], { input, environment })
  }

  async function listed(args: string[]) {
    const { text, isCut } = await git.run(args, { environment })
    // Another repository in it ends with a slash, and is not of this one.
    const all = text.split('\0').filter((path) => path !== '' && !path.endsWith('/'))
    // The last one may be cut itself.
    const whole = isCut ? all.slice(0, -1) : all
    return { paths: whole.slice(0, MOST_FILES), isCut: isCut || whole.length > MOST_FILES }
  }
}

export function environmentOf({ index, objects, known }: SnapshotPlace): Record<string, string> {
  return {
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: known.map(quoted).join(delimiter),
  }
}

function namesOf(paths: string[]): string {
  const more = paths.length - MOST_NAMED
  return `${paths.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Neither a file, a link nor a folder: reading it could take for ever. */
function isSpecial(found: Stats | undefined): boolean {
  return found !== undefined && !found.isFile() && !found.isSymbolicLink() && !found.isDirectory()
}

/** Git takes what is between quotes for one path, whatever is in it. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`
}
