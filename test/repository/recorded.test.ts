import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openLog } from '../../src/chat/conversation/open-log.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { converse, retell } from '../support/recorded/conversation.ts'
import { withoutRun } from '../support/recorded/wire.ts'

/** A log, what a hub told while it was written, and what the next hub told of it: of version 0.1.0, before its code was moved. */
const RECORDED = fileURLToPath(new URL('recorded/', import.meta.url))
const LOG = 'parley.db'
const { told, retold }: Record<'told' | 'retold', string[]> = JSON.parse(
  readFileSync(join(RECORDED, 'wire.json'), 'utf8'),
)

test('[R22] of a log that was written before, every door tells what it told then, byte for byte', async () => {
  const { url } = await startHubWithSocket(await copied(LOG, 'audit.jsonl'))
  expect(await retell(url)).toEqual(retold)
})

test('[R22] the same conversation is told and stored as it was then, but for its ids and times', async () => {
  const data = await temporaryFolder()
  const hub = await startHubWithSocket(data)
  expect(withoutRun(await converse(hub.url))).toEqual(withoutRun(told))
  await hub.close()
  const recorded = await copied(LOG)
  // Brings it up to date.
  await (await openLog(recorded)).close()
  // Marks had no look of their own then.
  const stored = rowsOf(data).map((row) => row.replace(String.raw`,\"look\":0`, ''))
  expect(withoutRun(stored)).toEqual(withoutRun(rowsOf(recorded)))
})

/** Opening a file changes it. */
async function copied(...files: string[]): Promise<string> {
  const data = await temporaryFolder()
  for (const file of files) copyFileSync(join(RECORDED, file), join(data, file))
  return data
}

function rowsOf(data: string): string[] {
  const db = new DatabaseSync(join(data, LOG))
  onTestFinished(() => db.close())
  const queries = [
    'SELECT type, name, sql FROM sqlite_schema ORDER BY name',
    'SELECT name FROM conversation ORDER BY number',
    'SELECT id, conversation, key, body FROM entry ORDER BY id',
  ]
  return queries.flatMap((query) => db.prepare(query).all()).map((row) => JSON.stringify(row))
}
