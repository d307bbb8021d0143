import { readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { isIn } from '../io/disk/is-in.ts'
import { branchOf } from '../io/programs/branch.ts'
import { ignoring } from '../io/system-error.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { FolderPage } from '../protocol/frames/launching.ts'

export type Folders = ReturnType<typeof createFolders>

const PAGE = 200
/** Links that are followed at the same time. */
const TOGETHER = 32

/** Why the system shows nothing of a path. */
const NOT_THERE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG']

/**
 * The folders of this machine that the owner allowed: roots and all below them, and `own` ones of the hub, which nobody
 * browses. Where links lead counts.
 */
export function createFolders(roots: readonly string[], own: readonly string[] = []) {
  return { mustBeAllowed, browse, existing }

  /** The real path of a folder, as it is now. One that links lead out of the roots is none of them. */
  async function mustBeAllowed(folder: string): Promise<string> {
    const real = await realFolder(folder)
    if (real === undefined) throw new ParleyError('folder_gone', { folder })
    const allowed = [...(await existing()), ...(await realFolders(own))]
    if (!allowed.some((root) => isIn(root, real)))
      throw new ParleyError('folder_forbidden', { folder, roots: roots.join(', ') })
    return real
  }

  /** One level, page by page: names of folders only. */
  async function browse(folder: string | undefined, after = ''): Promise<FolderPage> {
    const allowed = await existing()
    const real = await mustBeAllowed(folder ?? allowed[0] ?? roots[0] ?? sep)
    const entries = await readdir(real, { withFileTypes: true }).catch(ignoring(...NOT_THERE))
    if (!entries) throw new ParleyError('folder_gone', { folder: real })
    const later = entries.filter(({ name }) => !name.startsWith('.') && name > after)
    const sorted = later.sort((one, other) => (one.name < other.name ? -1 : 1))
    const names: string[] = []
    for (let from = 0; from < sorted.length && names.length <= PAGE; from += TOGETHER) {
      const some = sorted.slice(from, from + TOGETHER)
      const isFolder = await Promise.all(
        some.map((entry) => entry.isDirectory() || (entry.isSymbolicLink() && leadsToFolder(join(real, entry.name)))),
      )
      names.push(...some.flatMap(({ name }, n) => (isFolder[n] ? name : [])))
    }
    const parent = dirname(real)
    const branch = await branchOf(real)
    return {
      folder: real,
      ...(parent !== real && allowed.some((root) => isIn(root, parent)) && { parent }),
      ...(branch !== undefined && { branch }),
      names: names.slice(0, PAGE),
      has_more: names.length > PAGE,
    }
  }

  async function leadsToFolder(path: string): Promise<boolean> {
    const real = await realFolder(path)
    return real !== undefined && (await existing()).some((root) => isIn(root, real))
  }

  /** The roots that are there, as they really are. */
  function existing(): Promise<string[]> {
    return realFolders(roots)
  }
}

async function realFolders(paths: readonly string[]): Promise<string[]> {
  return (await Promise.all(paths.map(realFolder))).filter((path) => path !== undefined)
}

/** Nothing where no folder is. */
export async function realFolder(path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(ignoring(...NOT_THERE))
  const found = real === undefined ? undefined : await stat(real).catch(ignoring(...NOT_THERE))
  return found?.isDirectory() ? real : undefined
}
