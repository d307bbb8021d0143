// A process whose disk is too small: appends until it is refused, and prints what came of everything it had asked for.

import { type LogEntry, NO_ENTRY } from '../../src/log/journal.ts'
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts'
import { PLAIN_TEXT } from './contract/plain-text.ts'

const [path = ''] = process.argv.slice(2)
const log = await openSqliteLog(path, { text: PLAIN_TEXT })
const [promised, told, failures]: [LogEntry[], string[], unknown[]] = [[], [], []]
log.follow(
  { after: NO_ENTRY },
  { entries: (entries) => void told.push(...entries.map(({ id }) => id)), failed: (error) => failures.push(error) },
)
const refusals = await Promise.all(['a', 'b', 'c'].map(appendUntilRefused))
const snapshot = log.snapshots.put('a', { format: 1, at: NO_ENTRY, state: 'x'.repeat(100_000) })
const [put] = await Promise.allSettled([snapshot])
const kept = await log.read({ limit: 100_000 })
await log.close()
console.log(JSON.stringify({ refusals, put: put.status, promised, told, kept: kept.map(({ id }) => id), failures }))

async function appendUntilRefused(conversation: string) {
  let last = NO_ENTRY
  for (;;) {
    const [appended] = await Promise.allSettled([log.append(conversation, last, [{ body: 'x'.repeat(20_000) }])])
    if (appended.status === 'rejected') return String(appended.reason)
    promised.push(...appended.value)
    last = appended.value.at(-1)?.id ?? last
  }
}
