import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLineTransport } from './line-transport.ts'

test('[S212] of a call that was cancelled the hub keeps nothing, as long as its id may be', async () => {
  const { receive, callsIn } = createLineTransport({ write() {}, notify() {} })
  const { repeatOf } = callsIn('legacy')
  const repeat = { key: 'one' }
  receive({ jsonrpc: '2.0', id: 1, method: 'tools/call' }, repeat)
  receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, {})
  // Where it begins only now, it has its key.
  expect(repeatOf(1)).toBe(repeat)
  await turn()
  expect(repeatOf(1)).toBeUndefined()
})

test('[S213] of an answer that brings nothing the hub keeps nothing, also where its line never says that it has it', async () => {
  const { transport, receive, callsIn, got } = createLineTransport({ write() {}, notify() {} })
  const { leaves } = callsIn('legacy')
  for (const id of [1, 2, 3]) receive({ jsonrpc: '2.0', id, method: 'tools/call' }, { key: `key-${id}` })
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} })
  leaves(2, { deliveredIds: [], isEmpty: true })
  await transport.send({ jsonrpc: '2.0', id: 2, result: {} })
  leaves(3, { deliveredIds: [], isEmpty: false })
  let isLeft = false
  const left = transport.send({ jsonrpc: '2.0', id: 3, result: {} }).then(() => {
    isLeft = true
  })
  await turn()
  expect(isLeft).toBe(false)
  got('key-3')
  await left
})
