import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { connectToHub } from '../../src/doors/socket/connect.ts'
import { giveOrder } from '../../src/doors/socket/order.ts'
import { ownerKeyOf } from '../../src/doors/socket/owner-key.ts'
import { LINK_LIMITS, LONGEST_MESSAGE } from '../../src/protocol/frames/link-limits.ts'
import { eventually } from '../support/eventually.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { helloOf, link } from '../support/lines/raw-link.ts'
import { freePort } from '../support/process.ts'

const NEWER = '99.0.0'
const MIB = 1024 * 1024
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'codex', version: '1' } },
}
const isWelcome = (frame: object) => 'welcome' in frame
const isRefused = (frame: object) => 'refused' in frame

async function openHub() {
  const data = await temporaryFolder()
  const hub = await startHubWithSocket(data)
  const key = ownerKeyOf(data)
  /** Whoever has the key goes on as ever. */
  const ownerWorks = async () => {
    const { until } = await link(data, helloOf({ key }), { mcp: INITIALIZE, key: 'k' })
    await until(isWelcome)
    await until(({ mcp }) => mcp)
  }
  return { ...hub, data, key, ownerWorks }
}

function delivered(count: number, name = 'c') {
  return Array.from({ length: count }, (_, n) => ({ conversation: `${name} ${n}`, replies: [] }))
}

test('[S132] only who shows the owner’s key makes a hub hand over to a newer Parley', async () => {
  const { data, key, ownerWorks } = await openHub()
  for (const stranger of [{}, { key: 'x'.repeat(43) }])
    await (await link(data, helloOf({ version: NEWER, ...stranger }))).until(isWelcome)
  await ownerWorks()
  const { until } = await link(data, helloOf({ version: NEWER, key }))
  expect(await until(() => true)).toEqual({ bye: 'handing_over' })
  await eventually(async () => expect(await connectToHub(data)).toBeUndefined())
})

test('[S133] a line without the key tells of so many answers and places, in its hello and later, and is refused with more', async () => {
  const { data, key, ownerWorks } = await openHub()
  const most = LINK_LIMITS.deliveredIds
  const refusal = `Agents that cannot read the data folder may tell of ${most} answers and places at once; restart this one`
  const ids = Array.from({ length: most }, (_, n) => `${n}`.padStart(16, '0'))
  for (const hello of [
    { slips: delivered(most + 1) },
    { slips: [{ conversation: 'c', replies: ids }] },
    { slips: [{ conversation: 'c', replies: [], ahead: ids }] },
    { slips: [{ conversation: 'c', replies: [], calls: ids }] },
    { slips: delivered(most), seats: [{ conversation: 'c' }] },
  ]) {
    const { until, heard } = await link(data, helloOf(hello))
    expect(await until(isRefused)).toEqual({ refused: refusal })
    expect(heard).toHaveLength(1)
  }
  const refused = await link(data)
  refused.socket.write(
    [helloOf({ slips: delivered(most + 1) }), helloOf(), ''].map((each) => each && JSON.stringify(each)).join('\n'),
  )
  await refused.until(isRefused)
  expect(await giveOrder(data, 'status')).toMatchObject({ status: { lines: [] } })
  const { say, until } = await link(data, helloOf({ slips: delivered(most - 1) }))
  await until(isWelcome)
  say({ got: 'a', slips: delivered(1) })
  // In one go, so that it is refused while the other is still noted.
  say({ got: 'b', slips: delivered(1) })
  expect(await until(isRefused)).toEqual({ refused: refusal })
  await (await link(data, helloOf({ key, slips: delivered(most + 1) }))).until(isWelcome)
  await ownerWorks()
})

test('[S133] all lines without the key together tell of so many within 10 s, also those that are gone', async () => {
  const { data, ownerWorks } = await openHub()
  const { deliveredIds: most, allDeliveredIds } = LINK_LIMITS
  const lines = await Promise.all(
    Array.from({ length: allDeliveredIds / most }, (_, n) => link(data, helloOf({ slips: delivered(most, `${n}`) }))),
  )
  for (const { until } of lines) await until(isWelcome)
  lines[0]?.socket.end('{"bye":true}\n')
  await lines[0]?.ended
  const { until } = await link(data, helloOf({ slips: delivered(1) }))
  expect((await until(isRefused)).refused).toContain(`may tell of ${allDeliveredIds} answers and places at once`)
  await ownerWorks()
})

test('[S134] what says no hello is heard for 1 MiB, and a line for its longest message; nothing that follows is', async () => {
  const { data, key } = await openHub()
  for (const begin of [{ hello: '' }, { order: '' }]) {
    const { socket, until } = await link(data)
    socket.write(`${JSON.stringify(begin).slice(0, -2)}${'x'.repeat(MIB)}`)
    expect(await until(isRefused)).toEqual({ refused: 'This is larger than the limit' })
    socket.write(`"}\n${JSON.stringify(helloOf({ key }))}\n`)
    socket.end()
    await once(socket, 'close')
  }
  for (const shown of [{}, { key }]) {
    const { say, socket, heard, until } = await link(data, helloOf(shown))
    const clientInfo = { name: 'codex', version: '1', x: 'x'.repeat(LONGEST_MESSAGE - 1000) }
    say({ mcp: { ...INITIALIZE, params: { ...INITIALIZE.params, clientInfo } }, key: 'k' })
    await until(({ mcp }) => mcp)
    socket.write(`{"mcp":"${'x'.repeat(LINK_LIMITS.frameLength)}`)
    expect(await until(isRefused)).toEqual({ refused: 'This is larger than the limit' })
    expect(heard.filter(isRefused)).toHaveLength(1)
  }
})

test('[S134] lines of text that have no end are bounded for all without the key together: the oldest goes', async () => {
  const { data, key, ownerWorks } = await openHub()
  const unfinished = `{"mcp":"${'x'.repeat(LONGEST_MESSAGE)}`
  const owner = await link(data, helloOf({ key }))
  const first = await link(data, helloOf())
  for (const { socket, until } of [owner, first]) {
    await until(isWelcome)
    socket.write(unfinished)
  }
  const others = []
  for (let n = 0; n < LINK_LIMITS.heldLength / LONGEST_MESSAGE; n++) {
    const other = await link(data, helloOf())
    await other.until(isWelcome)
    others.push(other)
    other.socket.write(unfinished)
  }
  expect((await first.until(isRefused)).refused).toContain('have more open here than they may')
  await first.ended
  for (const { socket, until } of [owner, ...others.slice(1)]) {
    socket.write('"}\n')
    expect((await until(isRefused)).refused).toBe('The input Invalid input')
  }
  await ownerWorks()
})

test('[S177] a long hello is refused without the key, and heard with it', async () => {
  const { data, key } = await openHub()
  const folder = (length: number) => `/${'x'.repeat(length)}`
  const most = LINK_LIMITS.strangersHelloLength
  const { until } = await link(data, helloOf({ folder: folder(most) }))
  expect(await until(isRefused)).toEqual({ refused: 'This is larger than the limit' })
  await (await link(data, helloOf({ folder: folder(most - 1024) }))).until(isWelcome)
  await (await link(data, helloOf({ folder: folder(most), key }))).until(isWelcome)
})

const LONG_CALL = {
  name: 'ask_user',
  arguments: { questions: [{ question: 'Which?' }] },
  _meta: { pad: 'x'.repeat(7 * MIB) },
}

test('[S180] calls without the key that wait for their answer have so much room together; one more is refused and the line goes on', async () => {
  const { data, key, ownerWorks } = await openHub()
  const { until, say } = await link(data, helloOf(), { mcp: INITIALIZE, key: 'k' })
  await until(({ mcp }) => mcp)
  const ask = (id: string) => say({ mcp: { jsonrpc: '2.0', id, method: 'tools/call', params: LONG_CALL }, key: id })
  const most = Math.floor(LINK_LIMITS.unansweredLength / (7 * MIB))
  for (let n = 0; n < most; n++) ask(`${n}`)
  ask('more')
  const isAnswer = (id: string) => (frame: Record<string, unknown>) => (frame.mcp as { id?: unknown })?.id === id
  expect(await until(isAnswer('more'))).toMatchObject({
    mcp: {
      error: {
        code: -32029,
        message: expect.stringContaining(
          'Agents that cannot read the data folder have calls of 64 MiB under way, which is the most; wait for answers first',
        ),
      },
    },
  })
  const owner = await link(data, helloOf({ key }), { mcp: INITIALIZE, key: 'k' })
  owner.say({ mcp: { jsonrpc: '2.0', id: 'long', method: 'ping', params: { _meta: LONG_CALL._meta } }, key: 'l' })
  expect(await owner.until(isAnswer('long'))).toMatchObject({ mcp: { result: {} } })
  say({ mcp: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: '0' } } })
  say({ mcp: { jsonrpc: '2.0', id: 'then', method: 'ping', params: { _meta: LONG_CALL._meta } }, key: 'p' })
  expect(await until(isAnswer('then'))).toMatchObject({ mcp: { result: {} } })
  await ownerWorks()
})

test('[S135] lines without the key are so many at most, whether they are there or went a moment ago; with it there are more', async () => {
  const { data, ownerWorks } = await openHub()
  const { lines: most } = LINK_LIMITS
  const all = []
  for (let n = 0; n < most; n++) all.push(await link(data, helloOf()))
  for (const { until } of all) await until(isWelcome)
  const refused = async () => (await (await link(data, helloOf())).until(isRefused)).refused
  const sentence = `All ${most} places for agents that cannot read the data folder are taken; end one of them, or let this one read it`
  expect(await refused()).toBe(sentence)
  const [lost, gone] = all.map(({ socket }) => socket)
  lost?.destroy()
  expect(await refused()).toBe(sentence)
  await ownerWorks()
  gone?.end('{"bye":true}\n')
  await once(gone ?? expect.unreachable(), 'close')
  await (await link(data, helloOf())).until(isWelcome)
})

test('[S136] lines without the key open so many ports together; one more is told so and works, and the owner’s gets its own', async () => {
  const { data, key, url } = await openHub()
  const ports = []
  for (let n = 0; n < LINK_LIMITS.ports + 2; n++) ports.push(await freePort())
  const [owners = 0, late = 0, ...early] = ports
  const hello = async (port: number, more = {}) => {
    const { until, socket } = await link(data, helloOf({ port, ...more }))
    const { welcome } = (await until(isWelcome)) as { welcome: { url: string; port_refused?: string } }
    return { socket, ...welcome }
  }
  const opened = await Promise.all(early.map((port) => hello(port)))
  expect(opened.map(({ url }) => Number(new URL(url).port)).sort()).toEqual(early.toSorted())
  expect(await hello(late)).toMatchObject({
    url,
    port_refused: `Port ${late} is not opened, because agents that cannot read the data folder have 4 already; use ${url}`,
  })
  expect(new URL((await hello(owners, { key })).url).port).toBe(`${owners}`)
  opened[0]?.socket.end('{"bye":true}\n')
  await once(opened[0]?.socket ?? expect.unreachable(), 'close')
  expect(new URL((await hello(late)).url).port).toBe(`${late}`)
})

test('[S137] of connections that say nothing the oldest goes when they are too many; lines stay', async () => {
  const { data, ownerWorks } = await openHub()
  const line = await link(data, helloOf())
  await line.until(isWelcome)
  const oldest = await link(data)
  const http = await link(data)
  http.socket.write('GET /healthz HTTP/1.1\r\n')
  for (let n = 0; n < LINK_LIMITS.connections; n++) await link(data)
  await Promise.all([oldest.ended, http.ended])
  expect(oldest.heard).toEqual([
    {
      refused: 'Programs that cannot read the data folder have more open here than they may; say what you want at once',
    },
  ])
  expect(http.heard).toEqual([])
  line.say({ mcp: INITIALIZE, key: 'k' })
  await line.until(({ mcp }) => mcp)
  await ownerWorks()
})

test('[S192] of who is gone the hub keeps nothing that it never finished', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { data, ownerWorks } = await openHub()
  const unfinished = `{"mcp":"${'x'.repeat(LONGEST_MESSAGE)}`
  const goes = async (say: string) => {
    const { socket, until } = await link(data, helloOf())
    await until(isWelcome)
    const heard = new Promise((resolve) => socket.write(say, resolve))
    await heard
    socket.destroy()
  }
  await goes('')
  await ownerWorks()
  collect()
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < 20; n++) await goes(unfinished)
  await eventually(() => {
    collect()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(4 * LONGEST_MESSAGE)
  })
  await ownerWorks()
})
