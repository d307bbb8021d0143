import { expect } from 'vitest'
import { createChat } from '../../src/chat/chat.ts'
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts'
import { storedBody } from '../../src/protocol/entries/stored.ts'
import { localPrincipal, type Principal } from '../../src/protocol/principal.ts'
import { change, test } from '../log/contract/log-file.ts'
import { ask } from '../support/chat.ts'

const RUNNER: Principal = { id: 'runner', name: 'runner', role: 'orchestrator' }
const FAR = Date.now() + 3_600_000

test('[N5] a cache that is thrown away between two starts makes no difference', async ({ path }) => {
  const first = await openHub(path)
  const said = await first.admin.say('work', { text: 'Hello' })
  await first.admin.rename('work', 'Much work')
  await ask(first.admin, { by: 'agent', text: 'Deploy?', expires_at: FAR })
  await first.admin.preferences().change({ work: { pinned: true } })
  await first.admin.preferences().keepReply({ name: 'yes', text: 'Yes' })
  await first.admin.inbox.readAndAdvance(undefined)
  await first.admin.files.uploaded('hash')
  expect(await first.driver.acquire('work', 'a', 600)).toMatchObject({ held: true })
  const before = await shownBy(first)
  await first.close()

  change(path, 'DELETE FROM snapshot')
  const next = await openHub(path)
  expect(await shownBy(next)).toEqual(before)
  expect((await next.admin.inbox.readAndAdvance(undefined)).messages).toEqual([])
  expect(await next.driver.acquire('work', 'b', 600)).toMatchObject({ held: false, holder: 'a' })
  expect((await next.admin.page('work', { limit: 9 })).entries[0]?.id).toBe(said.id)
  await next.close()
})

async function openHub(path: string) {
  const log = await openSqliteLog(path, { readBody: storedBody })
  const fail = (error: unknown) => {
    throw error
  }
  const chat = createChat({ journal: log, views: log, notes: log.notes, report: fail, failed: fail })
  await chat.ready
  return { admin: chat.as(localPrincipal('admin')), driver: chat.as(RUNNER).driver(), close: chat.close }
}

async function shownBy({ admin }: Awaited<ReturnType<typeof openHub>>) {
  return {
    state: await admin.conversation('work'),
    listed: await admin.conversations({ limit: 9 }),
    preferences: await admin.preferences().show(['work']),
    file: await admin.files.mayRead('hash'),
    at_hand: await admin.preferences().atHand(),
  }
}
