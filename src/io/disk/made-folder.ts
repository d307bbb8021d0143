import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { attempt } from '../attempt.ts'
import { ifSystemError, ignoring } from '../system-error.ts'

/** Makes a folder, and those above it. The `recursive` of mkdir never returns below /proc. */
export function makeFolder(path: string, mode = 0o700): void {
  if (isFolder(path)) return
  if (!existsSync(path)) makeFolder(dirname(path), mode)
  // Somebody else may be faster; a file in its place is not what was wanted.
  const ifThere = ifSystemError((error) => {
    if (!isFolder(path)) throw error
  }, 'EEXIST')
  attempt(() => mkdirSync(path, { mode }), ifThere)
}

function isFolder(path: string): boolean {
  return attempt(() => statSync(path, { throwIfNoEntry: false }), ignoring())?.isDirectory() ?? false
}
