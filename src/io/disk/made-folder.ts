import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { attempt } from '../attempt.ts'
import { ignoring } from '../system-error.ts'

/** Makes a folder, and those above it. The `recursive` of mkdir never returns below /proc. */
export function makeFolder(path: string, mode = 0o700): void {
  if (existsSync(path)) return
  makeFolder(dirname(path), mode)
  // Somebody else may be faster.
  attempt(() => mkdirSync(path, { mode }), ignoring('EEXIST'))
}
