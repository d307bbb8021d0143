import { MEASURES } from './measures.ts'
import type { Line } from './statistics.ts'
import { openWorkplace, type Size } from './workplace.ts'

/** `node one-measure.ts NAME SIZE HOME`: the process of one measure, which tells its parent the lines. */
const [name = '', size, home = ''] = process.argv.slice(2)

// Wherever it comes from, and whoever was to catch it: nothing can be measured any more.
process.on('uncaughtException', (error) => tell([{ measure: name, failed: sentence(error) }]))
process.on('SIGTERM', () => process.exit(1))
process.on('disconnect', () => process.exit(1))

const measure = await MEASURES[name]?.()
if (!measure) throw new Error(`There is no measure ${name}`)
tell(await measure(openWorkplace({ home, name, size: size as Size })))

function tell(lines: Line[]) {
  process.send?.(lines, () => process.exit())
}

/** The rest of what an error says is advice. */
function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.trim().split('\n', 1)[0] ?? ''
}
