import { expect, onTestFinished, test, vi } from 'vitest'
import { newLog, until } from '../../../test/support/chat.ts'
import { createFollowers } from '../../log/followers.ts'
import { type Journal, type LogEntry, NO_ENTRY } from '../../log/journal.ts'
import { steady, twice } from './steady.ts'

/** A real log whose followers cannot read as often as the test says. */
async function openUnsteady() {
  const log = newLog()
  let failures = 0
  const followers = createFollowers(async (page) => {
    if (failures-- > 0) throw new Error('Unreadable')
    return log.read(page)
  })
  log.follow({ after: NO_ENTRY }, { entries: followers.announce, failed: followers.fail })
  await new Promise(setImmediate)
  onTestFinished(() => log.close())
  const journal: Journal = { ...log, follow: followers.follow }
  return {
    journal,
    followers,
    say: async (text: string) => log.append('work', await log.last(), [{ body: { text } }]),
    failNext(count: number) {
      failures = count
    },
  }
}

function collector() {
  const texts: unknown[] = []
  const entries = (news: LogEntry[]) => void texts.push(...news.map(({ body }) => textIn(body)))
  return { texts, entries, failed: vi.fn() }
}

/** No entry of a chat, so that the log tells it as unknown. */
function textIn(body: unknown): unknown {
  return (body as { content: { text: string } }).content.text
}

test('[Q29] a follower that could not be told for once goes on where it was, each entry once', async () => {
  const { journal, followers, say, failNext } = await openUnsteady()
  await say('one')
  const report = vi.fn()
  const follower = collector()
  failNext(1)
  const following = steady(journal, report).follow({ after: NO_ENTRY }, follower)
  await until(() => follower.texts.length === 1)
  await say('two')
  followers.fail(new Error('Lost'))
  await say('three')
  await until(() => follower.texts.length === 3)
  expect(follower.texts).toEqual(['one', 'two', 'three'])
  expect([report.mock.calls.length, follower.failed.mock.calls.length]).toEqual([2, 0])
  following.close()
  await say('four')
  expect(follower.texts).toHaveLength(3)
})

test('[Q29] one that fails again before it was told more has failed, and so has one whose journal is closed', async () => {
  const { journal, say, failNext } = await openUnsteady()
  await say('one')
  const follower = collector()
  failNext(2)
  steady(journal, () => {}).follow({ after: NO_ENTRY }, follower)
  await until(() => follower.failed.mock.calls.length > 0)
  expect([follower.texts, follower.failed.mock.calls]).toEqual([[], [[new Error('Unreadable')]]])
  let isClosed = false
  const closing: Journal = {
    ...journal,
    follow(...args) {
      if (isClosed) throw new Error('The log is closed')
      isClosed = true
      return journal.follow(...args)
    },
  }
  const last = collector()
  failNext(1)
  steady(closing, () => {}).follow({ after: NO_ENTRY }, last)
  await until(() => last.failed.mock.calls.length > 0)
  expect(last.failed.mock.calls).toEqual([[new Error('The log is closed')]])
})

test('[Q29] what fails for once is done again, and its failure is reported', async () => {
  const report = vi.fn()
  const work = vi.fn().mockRejectedValueOnce(new Error('For once')).mockResolvedValue('done')
  expect(await twice(work, report)).toBe('done')
  expect(report).toHaveBeenCalledExactlyOnceWith(new Error('For once'))
  await expect(twice(() => Promise.reject(new Error('Always')), report)).rejects.toThrow('Always')
})
