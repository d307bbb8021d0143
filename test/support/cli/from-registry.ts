import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ignoring } from '../../../src/io/system-error.ts'

/** Programs of others stay between runs, and outside the checkout, which they are larger than. */
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'parley-soak')
const LIMIT_MS = 10 * 60_000
/** Scripts of packages are not run. */
const QUIETLY = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']

export interface Wanted {
  package: string
  version: string
  /** What it needs beside it, with its version. */
  beside?: string[]
}

/** The folder of a program's packages, which are downloaded once, or why they are not to be had. */
export async function fromRegistry(
  { package: name, version, beside = [] }: Wanted,
  { cache = CACHE, env = {} }: { cache?: string; env?: Record<string, string> } = {},
): Promise<{ modules: string } | { missing: string }> {
  const folder = join(cache, `${name.replace('/', '+')}@${version}`)
  const modules = join(folder, 'node_modules')
  if (existsSync(folder)) return { modules }
  await mkdir(dirname(folder), { recursive: true })
  const made = await mkdtemp(`${folder}-`)
  try {
    const words = ['install', '--prefix', made, ...QUIETLY, `${name}@${version}`, ...beside]
    await promisify(execFile)('npm', words, { timeout: LIMIT_MS, env: { ...process.env, ...env } })
    // Only what is complete gets its name; another run may have been quicker.
    await rename(made, folder).catch(ignoring('ENOTEMPTY', 'EEXIST'))
    return { modules }
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    const [, code] = /^npm error code (\S+)/m.exec(stderr) ?? []
    if (code === undefined) throw error
    return { missing: `npm cannot install ${name}@${version} (${code})` }
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}
