import { readAsked } from '../../../src/line/asked.ts'
import { openLine } from '../../../src/line/line.ts'

// A line that waits for its hub no longer than a test likes to.
openLine({
  ...readAsked({ args: [], env: process.env, cwd: process.cwd(), line: 'impatient' }),
  input: process.stdin,
  output: process.stdout,
  patience: { tickMs: Number(process.env.TICK_MS ?? 20), ticks: 10 },
  tell: console.error,
  exit: process.exit,
})
