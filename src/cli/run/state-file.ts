import { hash } from 'node:crypto'
import { join } from 'node:path'

const LONGEST = 100

/** The file of a runner in a data folder. A long name ends with a digest of all of it: two names never share a file. */
export function stateFile(data: string, name: string): string {
  const encoded = encodeURIComponent(name)
  const end = hash('sha256', name).slice(0, 16)
  return join(data, 'runs', `${encoded.length <= LONGEST ? encoded : `${encoded.slice(0, LONGEST)}-${end}`}.db`)
}
