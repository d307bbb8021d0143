import type { FolderFiles } from '../../protocol/frames/launching.ts'
import type { Folders } from '../folders.ts'
import { listedFiles } from './listed-files.ts'
import { ranked } from './ranked.ts'
import { shownFile } from './shown-file.ts'

interface Parts {
  folders: Pick<Folders, 'mustBeAllowed'>
  now(): number
}

const MOST = 20
/** People type faster than a large folder is listed. */
const FRESH_MS = 5000
const MOST_FOLDERS = 4

/** The files of folders that the owner allowed. */
export function createFolderFiles({ folders, now }: Parts) {
  const kept = new Map<string, { at: number; paths: Promise<string[]> }>()
  return { find, show }

  /** Those whose names fit best. */
  async function find(folder: string, query: string): Promise<FolderFiles> {
    const real = await folders.mustBeAllowed(folder)
    const found = ranked(await pathsIn(real), query)
    return { folder: real, paths: found.slice(0, MOST), has_more: found.length > MOST }
  }

  async function show(folder: string, path: string) {
    return shownFile(await folders.mustBeAllowed(folder), path)
  }

  function pathsIn(folder: string): Promise<string[]> {
    const known = kept.get(folder)
    if (known && now() - known.at < FRESH_MS) return known.paths
    const paths = listedFiles(folder, folders)
    kept.delete(folder)
    kept.set(folder, { at: now(), paths })
    const [oldest] = kept.keys()
    if (kept.size > MOST_FOLDERS && oldest !== undefined) kept.delete(oldest)
    return paths
  }
}
