import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoring } from '../io/system-error.ts'
import { Hash } from '../protocol/entries/attachment.ts'

interface StoredFile {
  hash: string
  size: number
  /** The time of the last upload, in milliseconds since 1970. */
  at: number
}

/** Every file of a store, in whatever order. */
export async function* storedFiles(root: string): AsyncGenerator<StoredFile> {
  for (const shelf of await namesIn(root)) {
    if (shelf.length !== 2) continue
    for (const hash of await namesIn(join(root, shelf))) {
      const found = Hash.safeParse(hash).success
        ? await stat(join(root, shelf, hash)).catch(ignoring('ENOENT', 'ENOTDIR'))
        : undefined
      if (found) yield { hash, size: found.size, at: found.mtimeMs }
    }
  }
}

/** Nothing where there is no such folder, as where it was removed just now. */
async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoring('ENOENT', 'ENOTDIR'))) ?? []
}
