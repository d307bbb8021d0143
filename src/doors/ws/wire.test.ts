import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { wireFrame, wireOf } from './wire.ts'

/** Both ends of one real connection. */
async function connection() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => client.terminate())
  const [hub] = (await accepted) as [WebSocket]
  return { hub, client }
}

/** Everything as it was read: text, unless it came as binary. */
async function heard(client: WebSocket, count: number) {
  const frames: unknown[] = []
  client.on('message', (data, isBinary) => frames.push(isBinary ? 'binary' : String(data)))
  while (frames.length < count) await once(client, 'message')
  return frames
}

test('[W23] a prepared frame of every length is read as the text it was made of', async () => {
  const { hub, client } = await connection()
  const lengths = [0, 1, 125, 126, 127, 65_535, 65_536, 65_537, 1_000_000]
  const texts = [...lengths.map((length) => 'x'.repeat(length)), 'ä€😀'.repeat(50), '\u0000']
  const read = heard(client, texts.length)
  for (const text of texts) wireOf(hub).write(wireFrame(text))
  expect(await read).toEqual(texts)
})

test('[W23] prepared frames keep their place among those that ws sends, up to the closing one', async () => {
  const { hub, client } = await connection()
  const read = heard(client, 4)
  const closed = once(client, 'close')
  hub.send('one')
  wireOf(hub).write(wireFrame('two'))
  hub.ping()
  hub.send('three')
  wireOf(hub).write(wireFrame('four'))
  hub.close(1001)
  expect(await read).toEqual(['one', 'two', 'three', 'four'])
  expect((await closed)[0]).toBe(1001)
})

test('[W23] half a surrogate pair is written as valid UTF-8', async () => {
  const { hub, client } = await connection()
  const read = heard(client, 1)
  wireOf(hub).write(wireFrame('a\ud800b'))
  expect(await read).toEqual(['a\ufffdb'])
})
