import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect as connectTcp } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { View } from '../../../src/chat/view.ts'
import { type DoorParts, openWsDoor } from '../../../src/doors/ws/door.ts'
import { createLogbook } from '../../../src/ops/logbook.ts'
import { createMetrics } from '../../../src/ops/metrics.ts'
import { createTelemetry } from '../../../src/ops/telemetry.ts'
import type { Entry } from '../../../src/protocol/entries/entry.ts'
import { startHub } from '../../support/hub.ts'
import { type Client, connect, connectPage } from '../../support/socket.ts'

const HEARTBEAT_MS = 50

async function textsUntil(page: Client, count: number): Promise<string[]> {
  const texts: string[] = []
  while (texts.length < count)
    for (const { body } of (await page.next('entries')).entries as Entry[])
      if (body.kind === 'message') texts.push(body.text)
  return texts
}

test('[W9] a reader that stops in the middle of a burst ends up with every message, in order', async () => {
  const { view, url } = await startHub()
  const page = await connectPage(url)
  const texts = Array.from({ length: 5000 }, (_, n) => `${n} `.padEnd(2048, 'x'))
  page.ws.pause()
  await Promise.all(texts.map((text) => view.say('work', { text })))
  page.ws.resume()
  expect(await textsUntil(page, texts.length)).toEqual(texts)
})

test('[W5] a frame over the limit closes the connection with 1009, and the hub goes on', async () => {
  const { url } = await startHub()
  const client = await connect(url)
  client.ws.send('x'.repeat(10 * 1024 * 1024))
  expect((await client.closed).code).toBe(1009)
  await (await connect(url)).next('connected')
})

test('[W5] text that is not UTF-8 closes the connection with 1007, and the hub goes on', async () => {
  const { url } = await startHub()
  const client = await connect(url)
  client.ws.send(Buffer.from([0x22, 0xc3, 0x28, 0x22]), { binary: false })
  expect((await client.closed).code).toBe(1007)
  await (await connect(url)).next('connected')
})

test('[W17] half a surrogate pair becomes the replacement character, in the log as in memory', async () => {
  const { view, url } = await startHub()
  const page = await connectPage(url)
  page.say('{"type":"post","key":"k","conversation":"work","text":"a\\ud800b"}')
  await page.next('accepted')
  expect((await view.page('work', { limit: 1 })).entries[0]?.body).toMatchObject({ text: 'a\ufffdb' })
})

test('[S200] what goes wrong inside is told without its reason, stands in the log, and the connection goes on', async () => {
  const { view } = await startHub()
  const broken = { ...view, say: () => Promise.reject(new TypeError('Boom')) }
  const reported: unknown[] = []
  const { port } = await ownDoor(broken, { report: (error) => void reported.push(error) })
  const page = await connectPage(`http://127.0.0.1:${port}`)
  page.say({ type: 'post', key: 'k', conversation: 'work', text: 'Hello' })
  expect(await page.next('refused')).toEqual({
    type: 'refused',
    key: 'k',
    code: 'internal',
    error: 'Something went wrong inside Parley',
  })
  expect(reported).toEqual([new TypeError('Boom')])
  page.say({ type: 'rename', key: 'r', conversation: 'work', title: 'Work' })
  expect(await page.next('refused')).toMatchObject({ key: 'r', code: 'unknown_conversation' })
})

test('[W10] a client that does not answer the heartbeat is disconnected, one that does is not', async () => {
  const { view, port } = await startHub()
  // A client answers however long that takes.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { port: own, metrics } = await ownDoor(view, { heartbeatMs: HEARTBEAT_MS })
  expect(own).not.toBe(port)
  const alive = await connect(`http://127.0.0.1:${own}`)
  const dead = connectTcp(own, '127.0.0.1')
  dead.write(
    'GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  let heard = ''
  dead.setEncoding('latin1').on('data', (text) => {
    heard += text
  })
  await once(dead, 'data')
  vi.advanceTimersByTime(HEARTBEAT_MS)
  await once(alive.ws, 'ping')
  // The hub answers this behind the answer to its heartbeat.
  alive.say({ type: 'nothing' })
  await alive.next('error')
  vi.advanceTimersByTime(HEARTBEAT_MS)
  await once(dead, 'close')
  expect(heard).toContain('This client reads too slowly; reconnect and resume')
  expect(alive.ws.readyState).toBe(alive.ws.OPEN)
  expect(metrics.text()).toContain('parley_slow_clients_total 1\n')
})

/** A door of its own for what this view shows. */
async function ownDoor(view: View, wanted: Partial<Pick<DoorParts, 'heartbeatMs' | 'report'>>) {
  const metrics = createMetrics()
  const { connection, report } = createTelemetry({
    logbook: createLogbook({ level: 'error', content: false }),
    metrics,
  })
  const limits = { frameLimitBytes: 1024, highWaterBytes: 1024, heartbeatMs: 60_000 }
  const door = openWsDoor({ ...limits, composer: 'always', admit() {}, telemetry: connection, report, ...wanted })
  const caller = { view, now: () => view.principal, isOtherOrigin: false }
  const server = createServer()
  server.on('upgrade', (request, stream, head) =>
    door.upgrade(request, stream, head, new URL(request.url ?? '', 'http://localhost'), caller),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(async () => {
    await door.close()
    server.close()
  })
  return { ...(server.address() as { port: number }), metrics }
}
