import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { endProcessesOf } from '../../../scripts/processes.ts'
import { environment, executable } from '../agent.ts'
import { temporaryFolder } from '../hub.ts'
import { startParley } from '../process.ts'
import type { RealClient } from './real-clients.ts'

/** Nobody listens there: a client does without what it wants from elsewhere. */
const NOWHERE = 'http://127.0.0.1:9'
const RUN_LIMIT_MS = 5 * 60_000
/** As people write what Parley changes, and its copies of it. */
const WRITTEN = /\.(?:json|jsonc|toml|yaml|md)(?:\.before-parley)?$/

/** The home folder of a person who has one client and a model for it, and nothing of Parley. */
export async function openRealHome(client: RealClient, modules: string, modelUrl: string) {
  const home = await temporaryFolder()
  // Some clients leave a process behind.
  onTestFinished(() => endProcessesOf(home))
  const cwd = join(home, 'work')
  mkdirSync(cwd)
  mkdirSync(join(home, 'bin'))
  symlinkSync(client.path(modules), join(home, 'bin', client.program))
  for (const [file, text] of Object.entries(client.files?.({ modelUrl, modules }) ?? {})) {
    mkdirSync(dirname(join(home, file)), { recursive: true })
    // They hold the key of the model.
    writeFileSync(join(home, file), text, { mode: 0o600 })
  }
  const env = environment({
    HOME: home,
    PATH: [join(home, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    HTTP_PROXY: NOWHERE,
    HTTPS_PROXY: NOWHERE,
    NO_PROXY: '127.0.0.1,localhost',
    ...client.environment?.(modelUrl),
  })
  return { parley, run, texts }

  function parley(...words: string[]) {
    return startParley(words, env, executable, cwd)
  }

  /** Lets the client do one thing, and tells all that it printed. */
  async function run(prompt: string): Promise<string> {
    const child = spawn(join(home, 'bin', client.program), client.args(prompt), {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: RUN_LIMIT_MS,
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
    const [code, signal] = await once(child, 'close')
    return `${said}\nEnded with ${signal ?? code}`
  }

  /** What is written in the home folder, by place, but for what Parley keeps for itself. */
  function texts(): Map<string, string> {
    const places = readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && WRITTEN.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((place) => !place.startsWith(join(home, '.parley')))
    return new Map(places.map((place) => [place, readFileSync(place, 'utf8')]))
  }
}
