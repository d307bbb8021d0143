import { expect, test } from 'vitest'
import { createEventStore } from './event-store.ts'

test('[F13] a session that can be resumed holds a few results with images, not hundreds', async () => {
  const store = createEventStore()
  const answer = (mib: number) => ({
    jsonrpc: '2.0' as const,
    id: 1,
    result: { content: [{ type: 'image', data: 'x'.repeat(mib * 1024 * 1024), mimeType: 'image/png' }] },
  })
  const first = await store.storeEvent('stream', { jsonrpc: '2.0', method: 'ping', id: 0 })
  const ids: string[] = []
  for (let n = 0; n < 6; n++) ids.push(await store.storeEvent('stream', answer(5)))
  expect(await store.getStreamIdForEventId?.(first)).toBeUndefined()
  const kept = await Promise.all(ids.map((id) => store.getStreamIdForEventId?.(id)))
  expect(kept.map((stream) => stream !== undefined)).toEqual([false, false, false, true, true, true])
  // The newest is kept however large it is.
  const large = await store.storeEvent('stream', answer(17))
  expect(await store.getStreamIdForEventId?.(large)).toBe('stream')
})
