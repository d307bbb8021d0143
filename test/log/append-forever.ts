// A process to be killed: appends without end and prints every entry it was promised, one JSON line each.
import { writeSync } from 'node:fs'
import { NO_ENTRY } from '../../src/log/journal.ts'
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts'
import { PLAIN_TEXT } from './contract/plain-text.ts'

const [path = '', conversations = '1', searching] = process.argv.slice(2)
const log = await openSqliteLog(path, { text: searching ? PLAIN_TEXT : undefined })
writeSync(1, '{}\n')
await Promise.all(Array.from({ length: Number(conversations) }, (_, n) => appendForever(`c${n}`)))

async function appendForever(conversation: string) {
  let [newest] = await log.read({ conversation, before: '9'.repeat(16), limit: 1 })
  for (;;) {
    const count = Number(newest?.body ?? -1) + 1
    ;[newest] = await log.append(conversation, newest?.id ?? NO_ENTRY, [{ body: count }])
    writeSync(1, `${JSON.stringify(newest)}\n`)
  }
}
