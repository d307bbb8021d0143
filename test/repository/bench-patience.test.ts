import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { gatherCrowd } from '../../bench/crowd.ts'
import { patiently } from '../../bench/patience.ts'

const NEVER = new Promise<never>(() => {})

test('[R12] a measure waits as long as what it waits for grows', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let joined = 0
  let failed: unknown
  const waited = patiently('the crowd', NEVER, () => joined).catch((error) => {
    failed = error
  })
  for (let looked = 0; looked < 20; looked++) {
    joined++
    await vi.advanceTimersByTimeAsync(25_000)
  }
  expect(failed).toBeUndefined()
  await vi.advanceTimersByTimeAsync(60_000)
  await waited
  expect(failed).toEqual(new Error('Waited too long for the crowd'))
})

test('[R12] a measure waits not for ever for what cannot grow', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const failed = expect(patiently('the answer', NEVER)).rejects.toThrow('Waited too long for the answer')
  await vi.advanceTimersByTimeAsync(30_000)
  await failed
})

test('[R12] a crowd that loses a socket says why', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.close())
  await once(server, 'listening')
  server.on('connection', (socket) => server.clients.size === 4 && socket.close(4000, 'Full'))
  const { port } = server.address() as AddressInfo
  // Greeted by nobody, so that it is still joining.
  const crowd = gatherCrowd(`ws://127.0.0.1:${port}`, 4, { type: 'hello' })
  await expect(crowd).rejects.toThrow('A socket of the crowd was lost: closed with 4000 Full')
})
