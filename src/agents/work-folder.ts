import { statSync } from 'node:fs'
import { ParleyError } from '../protocol/errors.ts'

/** Refuses with one sentence where no agent can work in this folder: it is gone, or a file. */
export function mustBeFolder(folder: string) {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (!found) throw new ParleyError('no_folder', { folder })
  if (!found.isDirectory()) throw new ParleyError('not_a_folder', { path: folder })
}
