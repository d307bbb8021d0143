import { renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { attempt } from './attempt.ts'
import { ignoring } from './system-error.ts'

interface Replacing {
  /** The mode of the file; only its owner may read it where there is none. */
  mode?: number
  /** Called at the last moment: whether the file is still to be replaced. */
  isWanted?(): boolean
}

/**
 * Writes a file as a whole, so that nobody ever reads half of it, and says whether it did. Whatever stands under the name
 * of the half, a link above all, is never written through, and nothing is left there.
 */
export function replaceFile(path: string, text: string, { mode = 0o600, isWanted }: Replacing = {}): boolean {
  const half = `${path}.new`
  attempt(() => unlinkSync(half), ignoring('ENOENT'))
  try {
    writeFileSync(half, text, { flag: 'wx', mode, flush: true })
    if (isWanted && !isWanted()) return false
    // No pause may come here: somebody could save the file in it.
    renameSync(half, path)
    return true
  } finally {
    attempt(() => unlinkSync(half), ignoring())
  }
}
