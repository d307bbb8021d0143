import { askingAtOnce } from './asking-at-once.ts'
import { catchingUp } from './catching-up.ts'
import { coldStart } from './cold-start.ts'
import { fanOut } from './fan-out.ts'
import { memory } from './memory.ts'
import { opening } from './opening.ts'
import { page } from './page.ts'
import { posting } from './posting.ts'
import { reAttaching } from './re-attaching.ts'
import { roundTrip } from './round-trip.ts'
import { searching } from './searching.ts'
import type { Result } from './statistics.ts'
import { subscribers } from './subscribers.ts'
import { drawTable } from './table.ts'
import { takeover } from './takeover.ts'
import { openWorkplace, type Workplace } from './workplace.ts'

// Something hangs if it takes longer: the table of what is there is better than none.
const LIMIT_MS = 10 * 60_000

const MEASURES: Record<string, (workplace: Workplace) => Promise<Result[]>> = {
  'cold-start': coldStart,
  'round-trip': roundTrip,
  opening,
  're-attach': reAttaching,
  takeover,
  memory,
  posting,
  search: searching,
  subscribers,
  'catching-up': catchingUp,
  'asking-at-once': askingAtOnce,
  'fan-out': fanOut,
  page,
}

const chosen = process.argv.slice(2)
const unknown = chosen.find((name) => !(name in MEASURES))
if (unknown) {
  console.error(`There is no measure ${unknown}; there are ${Object.keys(MEASURES).join(', ')}`)
  process.exit(2)
}

const results: Result[] = []
const workplace = openWorkplace()
process.on('exit', () => {
  workplace.close()
  console.log(`\n${drawTable(results)}`)
})
setTimeout(() => {
  console.error('The benchmarks take too long and end here')
  process.exit(1)
}, LIMIT_MS).unref()

for (const [name, measure] of Object.entries(MEASURES)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  console.error(`measuring ${name}…`)
  results.push(...(await measure(workplace)))
}
