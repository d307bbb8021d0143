import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { lastLine } from '../io/programs/last-line.ts'
import { programOnPath } from '../io/programs/program-on-path.ts'
import { createQueues } from '../io/queues.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { CatalogueAgent } from './catalogue.ts'
import { launchEnvironment } from './launch-environment.ts'

export interface Notes {
  get(name: string): Promise<unknown>
  /** Asks again what to make of the value where somebody else was quicker. */
  change(name: string, change: (value: unknown) => unknown): Promise<unknown>
}

interface AdaptersParts {
  notes: Notes
  data: string
  changed(): void
}

type Adapter = NonNullable<CatalogueAgent['adapter']>

const NOTE = 'allowed adapters'
const LONGEST_MS = 5 * 60_000
/** On its path `npx` puts the programs of every folder above it first. */
const SHELL = process.platform === 'win32' ? {} : { npm_config_script_shell: '/bin/sh' }

/** Which packages somebody allowed to be fetched, each in one version, and where they are: nothing is fetched before. */
export async function openAdapters({ notes, data, changed }: AdaptersParts) {
  const places = new Map(Object.entries((await notes.get(NOTE)) ?? {}) as [spec: string, program: string][])
  const fetching = new Set<string>()
  const queues = createQueues()
  const closing = new AbortController()
  return {
    isAllowed: (adapter: Adapter) => places.has(specOf(adapter)),
    isFetching: (adapter: Adapter) => fetching.has(specOf(adapter)),
    /** Allows it, and resolves with its program when it is there. */
    fetch: (adapter: Adapter, npx: string) => queues.add(specOf(adapter), () => fetchOnce(adapter, npx)),
    /** What is being fetched is not waited for any more. */
    close: () => closing.abort(),
  }

  async function fetchOnce(adapter: Adapter, npx: string): Promise<string> {
    const spec = specOf(adapter)
    const known = places.get(spec)
    // What `npx` keeps may have been cleared away.
    if (known !== undefined && existsSync(known)) return known
    fetching.add(spec)
    changed()
    try {
      const program = await fetched(adapter, npx)
      places.set(spec, program)
      await notes.change(NOTE, (value) => ({ ...(value as object), [spec]: program }))
      return program
    } finally {
      fetching.delete(spec)
      changed()
    }
  }

  /** Nothing of the package is run: another program is, which tells where `npx` has put it. */
  async function fetched(adapter: Adapter, npx: string): Promise<string> {
    const { package: name, program } = adapter
    const env = { ...launchEnvironment(), ...SHELL }
    const args = ['--yes', `--package=${specOf(adapter)}`, '--', process.execPath, '-p', 'process.env.PATH']
    const folder = await mkdtemp(join(data, 'fetching-'))
    try {
      // `npx` looks for a project no further: one around it could have a package of this name, and say where to fetch.
      await writeFile(join(folder, 'package.json'), '{}')
      const { stdout } = await promisify(execFile)(npx, args, {
        cwd: folder,
        env,
        timeout: LONGEST_MS,
        windowsHide: true,
        signal: closing.signal,
      })
      const found = programOnPath(program, { env: { PATH: stdout.trim() }, platform: process.platform })
      if (found === undefined)
        throw new ParleyError('adapter_failed', { package: name, reason: `it has no ${program}` })
      return found
    } catch (error) {
      if (error instanceof ParleyError) throw error
      const { stderr = '' } = error as { stderr?: string }
      throw new ParleyError('adapter_failed', { package: name, reason: npmReason(stderr) ?? 'npx failed' }, error)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

function specOf({ package: name, version }: Adapter): string {
  return `${name}@${version}`
}

/** Its last lines say where a log is, and not what is wrong. */
function npmReason(stderr: string): string | undefined {
  const said = stderr.split('\n').filter((line) => !/complete log of this run|_logs[/\\]|^npm error code/i.test(line))
  return lastLine(said.join('\n'))?.replace(/^npm (error|ERR!) ?/, '')
}
