import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { measureApart } from '../../bench/measure-apart.ts'
import { MEASURES } from '../../bench/measures.ts'
import { judged } from '../../bench/report.ts'
import { isFailure, type Line, worseBy } from '../../bench/statistics.ts'
import { SOAK } from '../log/contract/place.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const RUN = fileURLToPath(new URL('../../bench/run.ts', import.meta.url))
// Only what hangs is stopped by it.
const LIMIT_MS = 100_000
vi.setConfig({ testTimeout: LIMIT_MS + 20_000 })

// Short, because there are sockets below it.
const home = mkdtempSync(join(tmpdir(), 'bench-'))
const runs: ChildProcess[] = []
afterAll(() => {
  for (const run of runs) run.kill()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
})

/** One of each kind: a process, a call, many clients. The others need a third of the whole run, so `npm run soak` takes them. */
const FEW = ['cold-start', 'round-trip', 'subscribers']

test.concurrent.each(SOAK > 1 ? Object.keys(MEASURES) : FEW)('[R11] the measure %s yields figures', async (name) => {
  const lines = await measureApart(name, { home, size: 'smallest', limitMs: LIMIT_MS })
  expect(lines.filter((line) => isFailure(line) && line.measure === name)).toEqual([])
  const figures = lines.flatMap((line) => (isFailure(line) ? [] : [line.baseline, line.parley]))
  expect(figures.length).toBeGreaterThan(0)
  expect(figures.filter((figure) => !Number.isFinite(figure))).toEqual([])
})

test.concurrent('[R12] a measure that fails is a line of the table, and the next one is taken', async () => {
  const { ended } = runBench(['--smallest', 'page', 'policy'], { CHROMIUM_PATH: '/bin/false' })
  const { code, table } = await ended
  expect(table).toMatch(/^page .*FAILED: browserType\.launch/m)
  expect(table).toMatch(/ \d[\d.,]* µs /m)
  expect(code).toBe(1)
})

test('[R12] a measure that failed is in the table of the documents, beside all others that have a target', () => {
  const failed = { measure: 'opening', failed: 'It took too long' }
  const row: Line = { measure: 'a post', unit: 'ms', baseline: 1, parley: 1 }
  const wanted: Line = { ...row, target: { atMostTimes: 1 } }
  expect(judged([row, failed, wanted])).toEqual([failed, wanted])
})

test.concurrent('[R12] a measure that never ends is a line of the table, and its processes are ended', async () => {
  const { folder, ended } = runBench(['--limit', '8', 'asking-at-once'])
  await vi.waitFor(() => expect(commandsIn(folder).join()).toContain('parley.js'), { timeout: LIMIT_MS })
  const { code, table } = await ended
  expect(table).toMatch(/^asking-at-once .*FAILED: It took longer than 8 s and was ended$/m)
  expect(code).toBe(1)
  await vi.waitFor(() => expect(commandsIn(folder)).toEqual([]), { timeout: LIMIT_MS })
  expect(readdirSync(folder)).toEqual([])
})

test.concurrent('[R27] two checkouts are measured in turns, and what got worse is named', async () => {
  const { ended } = runBench(['--smallest', '--compare', ROOT, 'policy'])
  const { table } = await ended
  expect(table).toMatch(/^measure +base +now +change/m)
  expect(table).toMatch(/µs .*µs +[+-]\d+ %/)
  const { ended: refused } = runBench(['--compare', 'no-such-revision', 'policy'])
  expect(await refused).toEqual({ code: 2, table: '' })
  const row = { measure: '', baseline: 0, parley: 0 }
  expect(worseBy({ ...row, unit: 'ms' }, 10, 12)).toBeCloseTo(0.2)
  expect(worseBy({ ...row, unit: 'posts/s' }, 12, 10)).toBeCloseTo(0.2)
  expect(worseBy({ ...row, unit: 'posts/s' }, 10, 12)).toBeLessThan(0)
})

/** `npm run bench` with these words, in a folder of its own. */
function runBench(words: string[], env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(home, 'run-'))
  const child = spawn(process.execPath, [RUN, ...words], {
    env: { ...process.env, ...env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  runs.push(child)
  let table = ''
  child.stdout.on('data', (chunk) => {
    table += chunk
  })
  return { folder, ended: once(child, 'close').then(([code]) => ({ code, table })) }
}

/** The commands of all processes that live in this folder. */
function commandsIn(folder: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => told(pid, 'environ').includes(`HOME=${folder}`)).map((pid) => told(pid, 'cmdline'))
}

function told(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // It has just ended, or belongs to somebody else.
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return ''
    throw error
  }
}
