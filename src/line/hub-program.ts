import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { asWord, root } from '../io/programs/own-program.ts'
import { ParleyError } from '../protocol/errors.ts'

const OLDEST_NODE = [24, 15] as const

/** What runs the hub: this Node where it is recent enough, or else the one that came along with a checkout. */
export function hubNode(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return process.execPath
  // Those of the folders above are whoever's it is installed among.
  const node = join(root(), 'node_modules', '.bin', 'node')
  if (existsSync(node)) return node
  throw new ParleyError('old_node', {
    oldest: OLDEST_NODE.join('.'),
    version: process.version,
    program: asWord(process.argv[1] ?? 'parley'),
  })
}

/** The hub that was built with this file, or the newest one where that was cleared away while this process ran. */
export function hubProgram(): string {
  const file = ownFile()
  if (file.endsWith('.ts')) return join(dirname(file), '..', 'hub', 'background.ts')
  const beside = join(dirname(file), 'background.js')
  if (existsSync(beside)) return beside
  const builds = dirname(dirname(file))
  const current = join(dirname(builds), 'current')
  return existsSync(current) ? join(builds, readFileSync(current, 'utf8').trim(), 'background.js') : beside
}

function ownFile(): string {
  return fileURLToPath(import.meta.url)
}
