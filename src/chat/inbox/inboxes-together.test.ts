import { expect, test } from 'vitest'
import { ANSWER_BYTES, type InboxMessage } from '../../protocol/frames/inbox.ts'
import { newestTogether, pageTogether } from './inboxes-together.ts'

const message = (id: string): InboxMessage => ({
  ...{ id, ts: '', author: 'user', mime: 'text/plain', session_id: 'work' },
  content: 'x'.repeat(ANSWER_BYTES / 3),
})
const ids = ({ messages }: { messages: InboxMessage[] }) => messages.map(({ id }) => id)
const [odd, even] = [['1', '3'].map(message), ['2', '4'].map(message)]

test('[I27] two conversations together hold no more than one answer, the first or the newest of both', () => {
  const page = { has_more: false, last_id: '4' }
  const first = pageTogether(
    [odd, even].map((messages) => ({ ...page, messages })),
    '0',
  )
  expect([ids(first), first.last_id, first.has_more]).toEqual([['1', '2'], '2', true])
  const newest = newestTogether([odd, even].map((messages) => ({ last_id: '4', messages })))
  expect([ids(newest), newest.has_older]).toEqual([['3', '4'], true])
  const few = newestTogether([odd.slice(1), even.slice(1)].map((messages) => ({ last_id: '4', messages })))
  expect([ids(few), few.has_older]).toEqual([['3', '4'], undefined])
})
