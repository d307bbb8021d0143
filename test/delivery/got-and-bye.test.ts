import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startDeliveryHub } from '../support/mcp/delivery-hub.ts'

const CANCEL = { mcp: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } } }

test.each([
  ['[C62] has, also when it says goodbye in the same breath', { bye: true }, ['arrived']],
  ['[M75] was let fall when its call is cancelled then', CANCEL, ['arrived', 'missed']],
] as const)('what a line says to have arrived %s', async (_, next, course) => {
  const { data, record } = await startDeliveryHub()
  const socket = connect(join(data, 'hub.sock'))
  onTestFinished(() => void socket.destroy())
  let heard = ''
  socket.setEncoding('utf8').on('data', (text) => {
    heard += text
  })
  const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  say({ hello: {} }, request(1, 'initialize', info))
  say(request(2, 'tools/call', { name: 'take', arguments: { delivery: 'a' } }))
  await record.until('a', 'taken')
  say(request(3, 'tools/call', { name: 'release', arguments: { delivery: 'a' } }))
  while (!heard.includes('"id":2')) await once(socket, 'data')
  say({ got: 'key 2' }, next)
  await record.until('a', course.at(-1) as 'arrived', 'returned')
  expect(record.of('a')).toEqual(course)

  function say(...frames: object[]) {
    socket.write(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''))
  }

  function request(id: number, method: string, params: object) {
    return { key: `key ${id}`, mcp: { jsonrpc: '2.0', id, method, params } }
  }
})
