import { expect, test } from 'vitest'
import type { SettledEntry } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { createWaiters, StillOpen } from './waiters.ts'

const SETTLED = { id: '2' } as SettledEntry
const { signal: forever } = new AbortController()

test('[Q10] whoever waits for a question gets its outcome, also after another gave up', async () => {
  const { wait, settled } = createWaiters()
  const gone = new AbortController()
  const [first, second, other] = [wait('1', gone.signal), wait('1', forever), wait('other', forever)]
  gone.abort(new Error('Gone'))
  await expect(first).rejects.toThrow('Gone')
  settled('1', SETTLED)
  expect(await Promise.race([second, other])).toBe(SETTLED)
  settled('nobody waits', SETTLED)
  // It was settled for those who waited then.
  const again = wait('1', forever)
  settled('1', { id: '3' } as SettledEntry)
  expect(await again).toEqual({ id: '3' })
})

test('[Q6] a wait that has ended before it began, or with its hub, says why', async () => {
  const { wait, close, stillOpen } = createWaiters()
  await expect(wait('1', AbortSignal.abort(new Error('Gone')))).rejects.toThrow('Gone')
  const open = wait('1', forever)
  stillOpen('1')
  stillOpen('nobody waits')
  await expect(open).rejects.toBeInstanceOf(StillOpen)
  const waits = [wait('1', forever), wait('1', forever), wait('2', forever)]
  const over = new ParleyError('shutting_down')
  close(over)
  for (const one of [...waits, wait('3', forever)]) await expect(one).rejects.toBe(over)
})
