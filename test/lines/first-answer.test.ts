import { get } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { ownerKeyOf } from '../../src/doors/socket/owner-key.ts'
import { openHubProcess } from '../../src/hub/hub-process.ts'
import { takeStartupLock } from '../../src/hub/startup-lock.ts'
import type { Hello } from '../../src/protocol/frames/link.ts'
import { temporaryFolder } from '../support/hub.ts'
import { helloOf, link } from '../support/lines/raw-link.ts'

const PLAIN = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'codex', version: '1' } }

interface Answer {
  id: unknown
  result: Record<string, unknown>
}

test('[M91] a plain handshake is answered before there is a hub, once, and the hub knows of it', async () => {
  const { say, until, heard, open } = await early()
  say({ mcp: initialize(1), key: 'line:1' })
  const { id, result } = await answerTo(until, 1)
  expect([id, result.serverInfo]).toMatchObject([1, { name: 'parley' }])
  await open()
  say({ got: 'line:1' })
  say({ mcp: { jsonrpc: '2.0', method: 'notifications/initialized' } })
  say({ mcp: { jsonrpc: '2.0', id: 2, method: 'tools/list' }, key: 'line:2' })
  expect((await answerTo(until, 2)).result.tools).not.toEqual([])
  say({ mcp: { jsonrpc: '2.0', id: 3, method: 'tools/call', params: progress('There') }, key: 'line:3' })
  expect((await answerTo(until, 3)).result).toMatchObject({ structuredContent: {} })
  expect(heard.filter(({ mcp }) => (mcp as Answer | undefined)?.id === 1)).toHaveLength(1)
})

test('[M91] it says what the hub says itself, whichever surface it is', async () => {
  for (const surface of ['bridge', 'agent'] as const) {
    const { say, until, open, data } = await early({ surface })
    say({ mcp: initialize(1), key: 'line:1' })
    const first = await answerTo(until, 1)
    await open()
    const later = await link(data, helloOf({ surface }), { mcp: initialize(1), key: 'other:1' })
    expect(first).toEqual(await answerTo(later.until, 1))
  }
})

test('[M91] one that comes in pieces is answered too, and what follows it in one piece is not lost', async () => {
  const { socket, until, open } = await early()
  const text = `${JSON.stringify({ mcp: initialize('ä'), key: 'line:1' })}\n`
  const bytes = Buffer.from(text)
  const cut = bytes.indexOf('ä') + 1
  socket.write(bytes.subarray(0, cut))
  await new Promise(setImmediate)
  const more = JSON.stringify({ mcp: { jsonrpc: '2.0', id: 2, method: 'tools/list' }, key: 'line:2' })
  socket.write(Buffer.concat([bytes.subarray(cut), Buffer.from(`${more}\n`)]))
  await answerTo(until, 'ä')
  await open()
  expect((await answerTo(until, 2)).result.tools).not.toEqual([])
})

const NOT_YET: [string, Partial<Hello>, object?][] = [
  ['without the key', { key: undefined }],
  ['with another key', { key: 'x'.repeat(43) }],
  ['of another version', { version: '0.0.1' }],
  ['with a token', { token: 'prl_x' }],
  ['of a surface that needs the hub', { surface: 'chat' }],
  ['that says something odd', {}, { ...PLAIN, protocolVersion: '2026-07-28' }],
]

test.each(NOT_YET)('[M91] a line %s is heard by the hub alone', async (_, more, params) => {
  const { say, heard, open, ended, data } = await early(more)
  say({ mcp: initialize(1, params), key: 'line:1' })
  const other = await link(data, helloOf({ key: ownerKeyOf(data) }), { mcp: initialize(1), key: 'other:1' })
  await answerTo(other.until, 1)
  expect(heard).toEqual([])
  await open()
  await Promise.race([ended, expect.poll(() => heard.length).toBeGreaterThan(0)])
})

test('[M92] the page is there before the hub that answers calls, and asking for it is enough', async () => {
  const data = await temporaryFolder()
  const startupLock = await takeStartupLock({ data, host: '127.0.0.1', ports: [0] })
  const order: string[] = []
  const shown = statusOf(startupLock.url).then((status) => order.push(`page ${status}`))
  // Longer than a test may take.
  const opened = openHubProcess({ startupLock, data, given: { log: 'error' }, patienceMs: 10 ** 6 })
  await shown
  expect(order).toEqual(['page 200'])
  const { until } = await link(data, helloOf({ key: ownerKeyOf(data) }), { mcp: initialize(1), key: 'line:1' })
  await answerTo(until, 1)
  const hub = await opened
  onTestFinished(() => hub.end('ending'))
})

/** A line that came before there is a hub, and said hello. */
async function early(more: Partial<Hello> = {}) {
  const data = await temporaryFolder()
  const startupLock = await takeStartupLock({ data, host: '127.0.0.1', ports: [0] })
  const line = await link(data, helloOf({ surface: 'agent', key: ownerKeyOf(data), ...more }))
  return { ...line, data, open }

  async function open() {
    const hub = await openHubProcess({ startupLock, data, given: { log: 'error' } })
    onTestFinished(() => hub.end('ending'))
  }
}

function initialize(id: unknown, params: object = PLAIN) {
  return { jsonrpc: '2.0', id, method: 'initialize', params }
}

function progress(text: string) {
  return { name: 'send_progress', arguments: { text } }
}

async function answerTo(until: Awaited<ReturnType<typeof link>>['until'], id: unknown): Promise<Answer> {
  const { mcp } = await until((frame) => (frame.mcp as Answer | undefined)?.id === id)
  return mcp as Answer
}

function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, (response) => resolve(response.resume().statusCode)).on('error', reject)
  })
}
