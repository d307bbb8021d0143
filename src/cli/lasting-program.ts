import { existsSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { ParleyError } from '../protocol/errors.ts'
import { PACKAGE } from '../protocol/version.ts'

/** This program, by its own path, whatever link it was started by. */
export function ownProgram(): string {
  return realpathSync(process.argv[1] ?? '')
}

/** This program, for others to start it later. Refused where it would not be there then. */
export function lastingProgram(): string {
  const program = ownProgram()
  if (program.split(sep).includes('_npx')) throw new ParleyError('npx_cache', { name: PACKAGE })
  return program
}

/** The Node that runs this, for others to start it later. Homebrew removes the folder of a version with the next one. */
export function lastingNode(node = process.execPath): string {
  const [, prefix, formula] = /^(.*)\/Cellar\/([^/]+)\/[^/]+\/bin\/node$/.exec(node) ?? []
  if (prefix === undefined || formula === undefined) return node
  const link = join(prefix, 'opt', formula, 'bin/node')
  return existsSync(link) && realpathSync(link) === realpathSync(node) ? link : node
}
