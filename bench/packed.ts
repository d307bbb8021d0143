import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { stagePackage } from '../scripts/stage.ts'
import { PACKAGE } from '../src/protocol/version.ts'
import { openAgent, startLine } from './agent.ts'
import { served, untilAnswered } from './cold-start.ts'
import { patiently } from './patience.ts'
import { start } from './process.ts'
import { interleave, median, type Result } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const SIZES = { full: { warmUp: 2, rounds: 31, installs: 7 }, smallest: { warmUp: 1, rounds: 1, installs: 1 } }
const MOST_MB = { packed: 2, installed: 4 }

/** What somebody has who installs the package: its size, the start of its line, and the way to the first page. */
export async function packed({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { warmUp, rounds, installs } = SIZES[size]
  const place = emptyData()
  mkdirSync(place)
  const empty = await packageOf('empty', (folder) => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), '{ "name": "empty", "version": "1.0.0" }')
  })
  const own = await packageOf(PACKAGE, stagePackage)
  const installed = await install(own)
  const program = join(installed, 'node_modules', PACKAGE, 'bin/parley.js')
  const running = env({ PARLEY_DATA: emptyData() })
  const keeper = await openAgent(running)
  const lines = { checkout: () => toInitialize(), package: () => toInitialize(program) }
  await interleave(warmUp, lines)
  const started = await interleave(rounds, lines)
  await keeper.running.stop()
  const took = await interleave(installs, { empty: () => timed(() => install(empty)), page: toPage })
  return [
    sized('packed', statSync(own).size),
    sized('installed', bytesIn(installed)),
    {
      measure: 'spawn to initialize from the package, hub running; from the checkout',
      unit: 'ms',
      baseline: median(started.checkout),
      parley: median(started.package),
      target: { atMostTimes: 1.05 },
    },
    {
      measure: 'empty folder until the page is served; npm i of an empty package',
      unit: 'ms',
      baseline: median(took.empty),
      parley: median(took.page),
      target: { atMostTimes: 3 },
    },
  ]

  async function toInitialize(program?: string): Promise<number> {
    const line = startLine(running, { program })
    const ms = await untilAnswered(line)
    await line.stop()
    return ms
  }

  async function toPage(): Promise<number> {
    const began = performance.now()
    const folder = await install(own)
    const data = emptyData()
    const parley = join(folder, 'node_modules/.bin/parley')
    // It stays until it is stopped.
    const alone = env({ PARLEY_DATA: data, PARLEY_KEEP: '600' })
    const opened = start([parley, 'open'], alone)
    const url = await patiently('the address', urlOf(opened.child.stdout))
    await patiently('the page', served(url))
    const ms = performance.now() - began
    await opened.exited
    await start([parley, 'stop'], alone).exited
    return ms
  }

  /** The packed file of a folder that is made there. */
  async function packageOf(name: string, make: (folder: string) => void): Promise<string> {
    const folder = join(place, name)
    make(folder)
    const [{ filename }] = JSON.parse(await npm(place, 'pack', folder, '--json'))
    return join(place, filename)
  }

  async function install(file: string): Promise<string> {
    const folder = mkdtempSync(join(place, 'into-'))
    await npm(folder, 'install', file, '--offline', '--no-audit', '--no-fund')
    return folder
  }

  async function npm(cwd: string, ...args: string[]): Promise<string> {
    return (await promisify(execFile)('npm', args, { cwd, env: env({ npm_config_update_notifier: 'false' }) })).stdout
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

async function urlOf(stdout: NodeJS.ReadableStream): Promise<string> {
  let said = ''
  for await (const text of stdout) {
    said += text
    const [url] = /http:\S+(?=\s)/.exec(said) ?? []
    if (url) return url
  }
  throw new Error(`It said no address: ${said}`)
}

function sized(what: 'packed' | 'installed', bytes: number): Result {
  const target = { atMostTimes: 1 }
  return {
    measure: `the package, ${what}; its limit`,
    unit: 'MB',
    baseline: MOST_MB[what],
    parley: bytes / 1e6,
    target,
  }
}

function bytesIn(folder: string): number {
  const files = globSync('node_modules/**', { cwd: folder }).map((file) => statSync(join(folder, file)))
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}
