import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureApart } from './measure-apart.ts'
import { MEASURES } from './measures.ts'
import { isFailure, type Line } from './statistics.ts'
import { drawTable } from './table.ts'

/** `node bench/run.ts [--smallest] [--limit SECONDS] [MEASURE …]`: all of them when none is named. */
const { values: options, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { smallest: { type: 'boolean' }, limit: { type: 'string', default: '600' } },
})
const unknown = chosen.find((name) => !(name in MEASURES))
if (unknown) {
  console.error(`There is no measure ${unknown}; there are ${Object.keys(MEASURES).join(', ')}`)
  process.exit(2)
}

const WHOLE_LIMIT_MS = 30 * 60_000
const began = performance.now()
const home = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const lines: Line[] = []
// Also of a run that somebody ends: the table of what is there is better than none.
process.on('exit', () => {
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  console.log(`\n${drawTable(lines)}`)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

for (const name of chosen.length > 0 ? chosen : Object.keys(MEASURES)) lines.push(...(await measured(name)))
if (lines.some(isFailure)) process.exitCode = 1

async function measured(name: string): Promise<Line[]> {
  const left = WHOLE_LIMIT_MS - (performance.now() - began)
  if (left <= 0) return [{ measure: name, failed: 'The measures before it took all the time there is' }]
  const started = performance.now()
  const limitMs = Math.min(left, Number(options.limit) * 1000)
  const found = await measureApart(name, { home, size: options.smallest ? 'smallest' : 'full', limitMs })
  console.error(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
  return found
}
