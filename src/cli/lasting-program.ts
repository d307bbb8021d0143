import { realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { ParleyError } from '../protocol/errors.ts'
import { PACKAGE } from '../protocol/version.ts'

/** This program, for others to start it later. Refused where it would not be there then. */
export function lastingProgram(): string {
  const program = realpathSync(process.argv[1] ?? '')
  if (program.split(sep).includes('_npx')) throw new ParleyError('npx_cache', { name: PACKAGE })
  return program
}
