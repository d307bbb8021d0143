import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MOST_UNREAD } from '../../src/line/client.ts'
import { until } from '../support/chat.ts'
import { temporaryFolder } from '../support/hub.ts'
import { lineAndHub, openLineHere } from '../support/lines/line-here.ts'
import { listenAsHub, type Said } from '../support/lines/scripted-hub.ts'

const impatient = (data: string, tickMs = 20) =>
  openLineHere({ env: { PARLEY_DATA: data }, patience: { tickMs, ticks: 10 } })

test('[C68] the next hub hears the same line and its handshake, of which the client hears nothing', async () => {
  const { line, hub } = await lineAndHub()
  const first = await hub.connection()
  line.request(0, 'initialize', { clientInfo: { name: 'raw' } })
  const initialize = await first.next()
  first.answer(0, { from: 'first' })
  expect(await line.next()).toMatchObject({ id: 0, result: { from: 'first' } })
  line.notify('notifications/initialized')
  await first.next()
  await first.next()
  first.socket.destroy()
  const second = await hub.connection()
  expect(second.hello).toEqual({ ...first.hello, client: 'raw' })
  expect(await second.next()).toEqual(under(againId(first), initialize))
  expect(await second.next()).toEqual({ mcp: { jsonrpc: '2.0', method: 'notifications/initialized', params: {} } })
  second.answer(againId(first), { from: 'second' })
  line.request(1, 'ping')
  const { key } = await second.next()
  second.answer(1)
  expect(await line.next()).toMatchObject({ id: 1 })
  expect(await second.next()).toEqual({ got: key })
})

test('[C68] a handshake that has no answer is repeated until it has one', async () => {
  const { line, hub } = await lineAndHub()
  const first = await hub.connection()
  line.request(0, 'initialize')
  line.notify('notifications/initialized')
  const { key } = await first.next()
  await first.next()
  first.socket.destroy()
  const second = await hub.connection()
  expect(await second.next()).toMatchObject({ key, mcp: { id: 0 } })
  expect((await second.next()).mcp.method).toBe('notifications/initialized')
  second.answer(0)
  expect(await line.next()).toMatchObject({ id: 0 })
  expect(await second.next()).toEqual({ got: key })
})

test('[C69] requests without an answer are repeated in order, with their keys and how long they have waited', async () => {
  const { line, hub } = await lineAndHub()
  const first = await hub.connection()
  for (const id of [1, 'two', 3, 4]) line.request(id, 'tools/call', { n: id })
  const asked = [await first.next(), await first.next(), await first.next(), await first.next()]
  expect(new Set(asked.map(({ key }) => key)).size).toBe(4)
  const heardAt = performance.now()
  first.answer(3)
  await line.next()
  line.notify('notifications/cancelled', { requestId: 4 })
  const more = [await first.next(), await first.next()]
  expect(more).toContainEqual({ got: asked[2]?.key })
  expect(more).toContainEqual({ mcp: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4 } } })
  const lostAt = performance.now()
  first.socket.destroy()
  const second = await hub.connection()
  const repeated = [await second.next(), await second.next()]
  expect(repeated.map(({ waited_ms, ...frame }) => frame)).toEqual([asked[0], asked[1]])
  for (const { waited_ms } of repeated) expect(waited_ms + 1).toBeGreaterThanOrEqual(lostAt - heardAt)
  second.answer('two')
  expect(await line.next()).toMatchObject({ id: 'two' })
  expect(await second.next()).toEqual({ got: asked[1]?.key })
})

test('[C69] an answer that nobody waits for is not passed on', async () => {
  const { line, hub } = await lineAndHub()
  const end = await hub.connection()
  line.request(1, 'tools/call')
  line.notify('notifications/cancelled', { requestId: 1 })
  line.request(2, 'ping')
  const [, , { key }] = [await end.next(), await end.next(), await end.next()]
  end.answer(1)
  end.answer(2)
  end.answer(2)
  line.request(3, 'ping')
  expect(await line.next()).toMatchObject({ id: 2 })
  expect([await end.next(), await end.next()]).toContainEqual({ got: key })
  end.answer(3)
  expect(await line.next()).toMatchObject({ id: 3 })
})

test('[C70] what the client says while there is no hub is said to the next one, in order', async () => {
  const { line, hub } = await lineAndHub()
  const first = await hub.connection()
  first.say({ bye: 'ending' })
  // The line has heard goodbye before this.
  first.say({ mcp: { jsonrpc: '2.0', method: 'notifications/message' } })
  await line.next()
  line.notify('notifications/roots/list_changed')
  line.write('{"jsonrpc":"2.0","id":"of-the-hub","result":{}}\n')
  line.request(2, 'tools/call')
  line.write('no message\n')
  expect(await line.next()).toMatchObject({ error: { message: 'This JSON cannot be read' } })
  first.socket.destroy()
  const second = await hub.connection()
  const said = [await second.next(), await second.next(), await second.next()].map(({ mcp }) => mcp.method ?? mcp.id)
  expect(said).toEqual(['notifications/roots/list_changed', 'of-the-hub', 'tools/call'])
  expect(first.heard).toEqual([])
})

test('[C71] subscriptions are made again, and the client is told to look', async () => {
  const { line, hub } = await lineAndHub()
  const first = await hub.connection()
  const subscribed = []
  for (const [id, method, uri] of [
    [1, 'resources/subscribe', 'ui://a'],
    [2, 'resources/subscribe', 'ui://b'],
    [3, 'resources/subscribe', 'ui://c'],
    [4, 'resources/unsubscribe', 'ui://b'],
  ] as const) {
    line.request(id, method, { uri })
    subscribed.push(await first.next())
    first.answer(id)
    await line.next()
    await first.next()
  }
  line.request(5, 'resources/subscribe', { uri: 'ui://none' })
  await first.next()
  first.say({ mcp: { jsonrpc: '2.0', id: 5, error: { code: -32002, message: 'none' } } })
  await line.next()
  first.socket.destroy()
  const second = await hub.connection()
  const [a, c] = [under(againId(first, 0), subscribed[0]), under(againId(first, 1), subscribed[2])]
  expect([await second.next(), await second.next()]).toEqual([a, c])
  second.answer(a.mcp.id)
  second.say({ mcp: { jsonrpc: '2.0', id: c.mcp.id, error: { code: -32002, message: 'gone' } } })
  const updated = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'ui://a' } }
  expect(await line.next()).toEqual(updated)
  second.socket.destroy()
  const third = await hub.connection()
  expect(await third.next()).toEqual(a)
  line.request(6, 'ping')
  expect((await third.next()).mcp.id).toBe(6)
})

test('[I41] a subscription that was pinned is made again as such, also when it was made without that later', async () => {
  const { line, hub } = await lineAndHub()
  const first = await hub.connection()
  const subscribed = []
  for (const [id, _meta] of [
    [1, { 'parley/pinned': true, 'parley/subscriber': 'runtime' }],
    [2, undefined],
  ] as const) {
    line.request(id, 'resources/subscribe', { uri: 'ui://a', _meta })
    subscribed.push(await first.next())
    first.answer(id)
    await line.next()
    await first.next()
  }
  first.socket.destroy()
  const second = await hub.connection()
  const again = subscribed.map((frame, n) => under(againId(first, n), frame))
  expect([await second.next(), await second.next()]).toEqual(again)
  line.request(3, 'resources/unsubscribe', { uri: 'ui://a', _meta: { 'parley/pinned': true } })
  await second.next()
  second.answer(3)
  await line.next()
  await second.next()
  second.socket.destroy()
  const third = await hub.connection()
  line.request(4, 'ping')
  expect((await third.next()).mcp.id).toBe(4)
})

test('[C72] after a hub that was stopped, the line starts none, and goes to one that somebody else starts', async () => {
  const { hub, data } = await lineAndHub()
  const first = await hub.connection()
  first.welcome()
  await Promise.all([hub.close(), first.goodbye('stopped')])
  const next = await listenAsHub(data)
  const second = await next.connection()
  expect(second.hello.line).toBe(first.hello.line)
  expect(existsSync(join(data, 'hub.log'))).toBe(false)
})

test('[C62] what was written after the hub said goodbye is still told to it', async () => {
  const { line, hub } = await lineAndHub()
  const end = await hub.connection()
  line.output.pause()
  line.request(1, 'tools/call')
  const { key } = await end.next()
  end.answer(1, { text: 'x'.repeat(4 * 1024 * 1024) })
  end.say({ bye: 'ending' })
  end.socket.end()
  line.output.resume()
  expect(await end.next()).toEqual({ got: key })
  await end.ended
  const next = hub.connection()
  end.socket.destroy()
  await next
})

test('[M78] of the next hub nothing is read either while the client leaves so much unread', async () => {
  const { line, hub } = await lineAndHub()
  const first = await hub.connection()
  first.welcome()
  await line.told(/4117/)
  line.output.pause()
  line.request(1, 'tools/call')
  await first.next()
  first.answer(1, { text: 'x'.repeat(2 * MOST_UNREAD) })
  await until(() => line.output.writableLength > MOST_UNREAD)
  first.socket.destroy()
  // A line that reads nothing notices it by what it says.
  line.request(2, 'ping')
  const second = await hub.connection()
  second.welcome({ url: 'http://localhost:4118' })
  for (let id = 3; id < 9; id++) {
    line.request(id, 'ping')
    await second.next()
  }
  expect(await line.told(/4117/)).not.toContain('4118')
  line.output.resume()
  await line.told(/4118/)
})

test('[C74] a hub that falls silent is named once and left, and what waits goes on with the one that speaks', async () => {
  const data = await temporaryFolder()
  const hub = await listenAsHub(data)
  // The line is patient enough to hear the welcome of a slow machine.
  const line = impatient(data, 300)
  const first = await hub.connection()
  first.welcome({ pid: 4712 })
  line.request(1, 'tools/call')
  const asked = await first.next()
  await first.ended
  const second = await hub.connection()
  expect(await second.next()).toMatchObject(asked)
  const sentence = 'The hub (process 4712) does not answer; going on as soon as it does or ends'
  await line.told(/process 4712/)
  // Frozen still, until another one has found that too; and then it ends.
  const other = impatient(data)
  await hub.connection()
  await other.told(/does not answer/)
  const third = hub.connection()
  second.socket.destroy()
  const { next, answer, welcome } = await third
  await next()
  welcome({ url: 'http://localhost:4118' })
  answer(1)
  expect(await line.next()).toMatchObject({ id: 1 })
  expect(await line.told(/4118/)).toBe(`http://localhost:4117\n${sentence}\nhttp://localhost:4118\n`)
})

test('[C74] a hub that was frozen from the start is named, and not given up', async () => {
  const data = await temporaryFolder()
  await writeFile(join(data, 'last-hub.json'), '{"pid":4713,"port":1}')
  const hub = await listenAsHub(data)
  const line = impatient(data)
  const end = await hub.connection()
  line.request(1, 'initialize')
  expect(await line.told(/\n/)).toBe('The hub (process 4713) does not answer; going on as soon as it does or ends\n')
  end.answer(1)
  expect(await line.next()).toMatchObject({ id: 1 })
})

/** What was answered is said again under an id that its client does not use. */
/** The id of what a line makes again for its client. */
function againId({ hello }: { hello: Said }, n?: number): string {
  return n === undefined ? `${hello.line}:again` : `${hello.line}:again:${n}`
}

function under(id: string, frame: Said | undefined) {
  return { ...frame, mcp: { ...frame?.mcp, id } }
}
