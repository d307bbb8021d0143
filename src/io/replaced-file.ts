import { renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { attempt } from './attempt.ts'
import { ignoring } from './system-error.ts'

interface Replacing {
  /** The mode of the file; only its owner may read it where there is none. */
  mode?: number
  /** What the name of the half ends with: in a folder of others it must be nobody's name but ours. */
  ending?: string
  /** Called at the last moment: whether the file is still to be replaced. */
  isWanted?(): boolean
  /** Waits for the disk, so that a machine that fails right after it has the text. */
  flush?: boolean
}

/**
 * Writes a file as a whole, so that nobody ever reads half of it, and says whether it did. Whatever stands under the name
 * of the half, a link above all, is never written through, and nothing is left there.
 */
export function replaceFile(path: string, text: string, options: Replacing = {}): boolean {
  const { mode = 0o600, ending = '.new', isWanted, flush = true } = options
  const half = path + ending
  attempt(() => unlinkSync(half), ignoring('ENOENT'))
  try {
    writeFileSync(half, text, { flag: 'wx', mode, flush })
    if (isWanted && !isWanted()) return false
    // No pause may come here: somebody could save the file in it.
    renameSync(half, path)
    return true
  } finally {
    attempt(() => unlinkSync(half), ignoring())
  }
}
