import { writeSync } from 'node:fs'
import { attempt } from '../io/attempt.ts'
import { onFirstSignal } from '../io/first-signal.ts'
import { ignoring } from '../io/system-error.ts'
import { ParleyError } from '../protocol/errors.ts'
import { lastSentence } from '../protocol/last-sentence.ts'
import { visible } from '../protocol/text/visible.ts'
import { readAsked } from './asked.ts'
import { openLine } from './line.ts'
import { secretName } from './secret-name.ts'

// Node itself would print where in the code it happened.
process.on('uncaughtException', (error) => {
  tell(lastSentence(error))
  process.exit(1)
})

try {
  const { hub, hello } = readAsked({
    args: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    line: secretName(),
  })
  const line = openLine({
    hub,
    hello,
    input: process.stdin,
    output: process.stdout,
    // The hub is heard five times in this time.
    patience: { tickMs: 1000, ticks: 10 },
    tell,
    exit: (code) => process.exit(code),
  })
  onFirstSignal(line.end)
} catch (error) {
  if (!(error instanceof ParleyError)) throw error
  tell(error.message)
  process.exitCode = error.code === 'usage' ? 2 : 1
}

/**
 * Writes to the descriptor: process.stderr would be one more stream, and what it has not written is lost at the end.
 */
function tell(sentence: string) {
  // This fails where nobody reads it.
  attempt(() => writeSync(2, `${visible(sentence)}\n`), ignoring())
}
