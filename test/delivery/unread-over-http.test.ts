import { once } from 'node:events'
import { connect as openSocket, type Socket } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startDeliveryServer } from '../support/mcp/delivery-server.ts'

// More turns of the loop than there are between the end of a tool and the end of its call.
const MOST_TURNS = 30
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

describe('over HTTP, what a call of the 2026 era brought', () => {
  test('[M81] comes back when its client closes the connection with the answer in it', async () => {
    const { url, record, release } = await startDeliveryServer()
    const socket = await callOver(url, 'a')
    socket.pause()
    await record.until('a', 'taken')
    release('a')
    await record.until('a', 'arrived')
    socket.destroy()
    await record.until('a', 'missed')
    expect(record.of('a')).toEqual(['arrived', 'missed'])
  })

  test('[M81] comes back when its client had closed the connection before the answer came', async () => {
    const { url, record, release } = await startDeliveryServer()
    const seen = new Set<string>()
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      const delivery = `${turns}`
      const socket = await callOver(url, delivery)
      await record.until(delivery, 'taken')
      release(delivery)
      for (let turn = 0; turn < turns; turn++) await undefined
      socket.destroy()
      await record.until(delivery, 'returned', 'missed')
      seen.add(record.of(delivery).join(', '))
    }
    for (const course of seen) expect(course).toMatch(/^(returned|arrived, missed)$/)
    expect(seen).toContain('arrived, missed')
  })

  test.each<[how: string, close: (socket: Socket) => void]>([
    ['ends', (socket) => void socket.end()],
    ['destroys', (socket) => void socket.destroy()],
  ])('[M82] has arrived when its client reads all of it and %s the connection at once', async (_, close) => {
    const { url, record, release } = await startDeliveryServer()
    for (const delivery of ['a', 'b', 'c']) {
      const socket = await callOver(url, delivery)
      await record.until(delivery, 'taken')
      release(delivery)
      let heard = ''
      while (!heard.includes('xxxxxxxxxx')) heard += (await once(socket, 'data'))[0]
      close(socket)
      await once(socket, 'close')
      await (await connected(url)).listTools()
      expect(record.of(delivery)).toEqual(['arrived'])
    }
  })

  test('[M82] has arrived when its client asks for more over the same connection, and breaks off then', async () => {
    const { url, record, release } = await startDeliveryServer()
    const socket = await callOver(url, 'a')
    await record.until('a', 'taken')
    release('a')
    await record.until('a', 'arrived')
    socket.pause()
    socket.write(requestOf('b'))
    await record.until('b', 'taken')
    release('b')
    await record.until('b', 'arrived')
    socket.destroy()
    await record.until('b', 'missed')
    expect(record.of('a')).toEqual(['arrived'])
  })

  test('[M81] [M82] is with the client, or comes back, whenever that cancels', async () => {
    const { url, record, release } = await startDeliveryServer()
    const client = await connected(url)
    const seen = new Set<string>()
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      const delivery = `${turns}`
      const cancelled = new AbortController()
      const call = client.callTool({ name: 'take', arguments: { delivery } }, { signal: cancelled.signal })
      const ended = call.then(
        () => 'had',
        () => 'cancelled',
      )
      await record.until(delivery, 'taken')
      release(delivery)
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
      cancelled.abort()
      const how = await ended
      await record.until(delivery, ...(how === 'had' ? (['arrived'] as const) : (['returned', 'missed'] as const)))
      await client.listTools()
      seen.add(`${how}: ${record.of(delivery).join(', ')}`)
    }
    for (const course of seen) expect(course).toMatch(/^(had: arrived|cancelled: returned|cancelled: arrived, missed)$/)
    expect([seen.has('had: arrived'), seen.size > 1]).toEqual([true, true])
  })
})

async function callOver(url: string, delivery: string): Promise<Socket> {
  const { port, hostname } = new URL(url)
  const socket = openSocket(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(requestOf(delivery))
  return socket
}

function requestOf(delivery: string): string {
  const params = { name: 'take', arguments: { delivery, hears: false }, _meta: META }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const headers = [
    'host: 127.0.0.1',
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    'mcp-protocol-version: 2026-07-28',
    'mcp-method: tools/call',
    'mcp-name: take',
    `content-length: ${body.length}`,
  ]
  return `POST /mcp HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

async function connected(url: string) {
  const client = new Client({ name: 'test-agent', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  onTestFinished(() => client.close())
  return client
}
