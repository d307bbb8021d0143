import { rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { endProcessesOf, stayingIn } from './processes.ts'

/** What ends by itself has ended by then. */
const PATIENCE_MS = 5000

// It is told that the run is done, or only sees it go.
const [, , folder = ''] = process.argv
const word = await text(process.stdin)
const left = word === 'done' ? await stayingIn(folder, PATIENCE_MS) : []
await endProcessesOf(folder)
rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
process.stdout.on('error', () => {})
process.stdout.write(JSON.stringify(left))
