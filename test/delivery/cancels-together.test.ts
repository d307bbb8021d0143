import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startDeliveryHub } from '../support/mcp/delivery-hub.ts'

const HANDSHAKE = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }

test.each([[[2]], [[3, 2]], [[2, 2]]])(
  '[M100] after the cancels of %j an id that is used again has deliveries of its own',
  async (cancelled) => {
    const { data, record } = await startDeliveryHub()
    const socket = connect(join(data, 'hub.sock'))
    onTestFinished(() => void socket.destroy())
    let heard = ''
    socket.setEncoding('utf8').on('data', (text) => {
      heard += text
    })
    say({ hello: {} }, request(1, 'initialize', HANDSHAKE), take(2, 'one'), take(3, 'two'))
    for (const delivery of ['one', 'two']) await record.until(delivery, 'taken')
    say(...cancelled.map(cancelOf), { ...take(2, 'again'), key: 'again' })
    await record.until('again', 'taken')
    say(request(4, 'tools/call', { name: 'release', arguments: { delivery: 'again' } }))
    while (!heard.includes('"id":2')) await once(socket, 'data')
    // Its line is gone without having said that its client has it.
    socket.destroy()
    await record.until('again', 'arrived', 'returned')
    expect(record.of('again')).toEqual(['returned'])

    function say(...frames: object[]) {
      socket.write(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''))
    }
  },
)

function take(id: number, delivery: string) {
  return request(id, 'tools/call', { name: 'take', arguments: { delivery } })
}

function request(id: number, method: string, params: object) {
  return { key: `key ${id}`, mcp: { jsonrpc: '2.0', id, method, params } }
}

function cancelOf(requestId: number) {
  return { mcp: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } } }
}
