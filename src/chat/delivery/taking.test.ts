import { expect, test } from 'vitest'
import { createDeliveries } from './deliveries.ts'
import { createLedger } from './ledger.ts'
import type { Unread } from './unread.ts'

function deliveriesWith(unread: () => Promise<Unread>) {
  const ledger = createLedger({ rooms: { append: async () => [] }, report: expect.unreachable })
  const account = ledger.account({ conversation: 'work', whose: { asker: 'one' }, recognise: async (_, told) => told })
  const deliveries = createDeliveries({
    agentService: { unread },
    account,
    conversation: 'work',
    agent: () => undefined,
  })
  return { account, deliveries }
}

test('[Q9] a call that is cancelled while its answer is put together takes nothing along', async () => {
  const stop = new AbortController()
  const { account, deliveries } = deliveriesWith(async () => {
    stop.abort(new Error('cancelled'))
    return { contents: { replies: ['1'] }, earlier: [] }
  })
  await expect(deliveries.take({ signal: stop.signal })).rejects.toThrow('cancelled')
  expect(account.given().replies).toEqual([])
})

test('[Q18] what waits for a message does so until every call knows which replies are its own', async () => {
  const told: string[] = []
  const { deliveries } = deliveriesWith(async () => {
    told.push('taken')
    return { contents: { replies: [] }, earlier: [] }
  })
  const known = deliveries.asking()
  const taken = deliveries.take({})
  await new Promise(setImmediate)
  told.push('known')
  known()
  await Promise.race([taken, new Promise(setImmediate)])
  expect(told).toEqual(['known', 'taken'])
})
