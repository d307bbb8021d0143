import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { attempt } from '../src/io/attempt.ts'
import { programOf } from './base-checkout.ts'
import { compare } from './comparing.ts'
import { measureApart, type Terms } from './measure-apart.ts'
import { MEASURES } from './measures.ts'
import { REPORTED, writeReport } from './report.ts'
import { isFailure, type Line } from './statistics.ts'
import { drawTable } from './table.ts'

/**
 * `node bench/run.ts [--smallest] [--limit SECONDS] [--compare BASE] [MEASURE …]`: all of them when none is named. BASE
 * is the folder of another checkout, or a revision.
 */
const { values: options, positionals: chosen } = attempt(
  () =>
    parseArgs({
      allowPositionals: true,
      options: {
        smallest: { type: 'boolean' },
        limit: { type: 'string', default: '600' },
        compare: { type: 'string' },
      },
    }),
  (error) => {
    console.error((error as Error).message)
    process.exit(2)
  },
)
const unknown = chosen.find((name) => !(name in MEASURES))
if (unknown) {
  console.error(`There is no measure ${unknown}; there are ${Object.keys(MEASURES).join(', ')}`)
  process.exit(2)
}

const WHOLE_LIMIT_MS = 30 * 60_000
const began = performance.now()
const home = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const names = chosen.length > 0 ? chosen : Object.keys(MEASURES)
const lines: Line[] = []
// A run that somebody ends has its table, too: one of what is there is better than none.
process.on('exit', () => {
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  if (options.compare === undefined) console.log(`\n${drawTable(lines)}`)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

if (options.compare === undefined) {
  for (const name of names) lines.push(...(await measured(name)))
  if (!options.smallest && REPORTED.every((name) => names.includes(name))) writeReport(lines)
  if (lines.some(isFailure)) process.exitCode = 1
} else {
  const base = programOf(options.compare, home)
  if (base === undefined) {
    console.error(`${options.compare} is neither a checkout that is built nor a revision that can be`)
    process.exit(2)
  }
  for (const name of names) {
    const { table, isWorse } = await compare(name, base, terms)
    console.log(`\n${table}`)
    if (isWorse) process.exitCode = 1
  }
}

function terms(): Terms {
  return { home, size: options.smallest ? 'smallest' : 'full', limitMs: Number(options.limit) * 1000 }
}

async function measured(name: string): Promise<Line[]> {
  const left = WHOLE_LIMIT_MS - (performance.now() - began)
  if (left <= 0) return [{ measure: name, failed: 'The measures before it took all the time there is' }]
  const started = performance.now()
  const { limitMs, ...rest } = terms()
  const found = await measureApart(name, { ...rest, limitMs: Math.min(left, limitMs) })
  console.error(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
  return found
}
