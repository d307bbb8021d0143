import { expect, onTestFinished, test } from 'vitest'
import type { Entry } from '../../../src/protocol/entries/entry.ts'
import { openTestHub, temporaryFolder, viewOf } from '../../support/hub.ts'
import { openLogInSharedThread } from '../../support/shared-thread.ts'
import { connectPage } from '../../support/socket.ts'

test('[I67] a page opens after 2 rounds of reading, however long the conversation is, and no more is read than it shows', async () => {
  const count = { rounds: 0, entries: 0, open: 0 }
  const hub = await openTestHub(
    { host: '127.0.0.1', port: 0, data: await temporaryFolder() },
    {
      async openLog(data, text) {
        const log = await openLogInSharedThread(data, text)
        const { snapshots } = log
        return {
          ...log,
          last: () => counted(log.last()),
          read: (page) => counted(log.read(page)),
          conversations: (page) => counted(log.conversations(page)),
          snapshots: { ...snapshots, get: (...which) => counted(snapshots.get(...which)) },
        }
      },
    },
  )
  onTestFinished(hub.close)
  const view = viewOf(hub)
  await Promise.all(Array.from({ length: 300 }, (_, n) => view.say('work', { text: `${n}` })))
  await (await connectPage(hub.url)).next('page')
  Object.assign(count, { rounds: 0, entries: 0 })
  const page = await connectPage(hub.url)
  const { entries } = await page.next('page')
  expect((entries as Entry[]).length).toBe(60)
  expect(count).toMatchObject({ rounds: 2, entries: 61 })

  /** What is asked for together is one round. */
  async function counted<Result>(reading: Promise<Result>): Promise<Result> {
    if (count.open++ === 0) count.rounds++
    const found = await reading
    count.open--
    if (Array.isArray(found) && typeof found[0]?.id === 'string') count.entries += found.length
    return found
  }
})
