import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { until } from '../../test/support/chat.ts'
import { temporaryFolder } from '../../test/support/hub.ts'
import { MOST_UNREAD } from './client.ts'
import { type LinkParts, openLink } from './link.ts'

const BEAT = '{"mcp":{"jsonrpc":"2.0","method":"beat"}}\n'

/** Both ends of a connection, and all that this one hears. */
async function opened(more: Partial<LinkParts> = {}) {
  const path = join(await temporaryFolder(), 'hub.sock')
  const server = createServer({ allowHalfOpen: true }).listen(path)
  const [[hub], socket] = (await Promise.all([once(server, 'connection'), connected(path)])) as [[Socket], Socket]
  onTestFinished(() => {
    for (const end of [hub, socket]) end.destroy()
    server.close()
  })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const happened: unknown[] = []
  const hears =
    (name: string) =>
    (...args: unknown[]) =>
      void happened.push([name, ...args])
  const link = openLink({
    socket,
    patience: { tickMs: 1000, ticks: 10 },
    welcome: hears('welcome'),
    mcp: hears('mcp'),
    refused: hears('refused'),
    settled: hears('settled'),
    joined: hears('joined'),
    full: hears('full'),
    silent: hears('silent'),
    lastWords: (act) => act(),
    ...more,
  })
  return { ...link, hub, socket, happened, heard }

  /** Resolves when so much has happened. */
  async function heard(count: number) {
    await until(() => happened.length >= count)
    return happened.slice(0, count)
  }
}

test('[C74] silence is counted in ticks since the hub was heard last, however long a tick took', async () => {
  const silent = vi.fn()
  const { hub, heard, ended } = await opened({ silent })
  for (let hour = 1; hour < 4; hour++) {
    hub.write(BEAT)
    await heard(hour)
    vi.setSystemTime(Date.now() + 3_600_000)
    vi.advanceTimersByTime(9000)
  }
  expect(silent).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1000)
  expect(silent).toHaveBeenCalledOnce()
  expect(await ended).toEqual({ heard: true, welcomed: false })
})

test('[C74] a hub that has never said anything is named by whoever knows it, and not left', async () => {
  const { happened, socket, hub, heard, ended } = await opened()
  vi.advanceTimersByTime(30_000)
  expect(happened).toEqual([['silent', undefined]])
  expect(socket.destroyed).toBe(false)
  const welcome = { version: '1', pid: 4711, url: 'http://localhost', other: [] }
  hub.write(`${JSON.stringify({ welcome })}\n`)
  expect(await heard(2)).toEqual([
    ['silent', undefined],
    ['welcome', welcome],
  ])
  vi.advanceTimersByTime(10_000)
  expect(happened[2]).toEqual(['silent', 4711])
  expect(await ended).toEqual({ heard: true, welcomed: true })
})

test('[M78] a hub that is not listened to is not silent', async () => {
  const { setPaused, happened, hub, heard } = await opened()
  hub.write(BEAT)
  await heard(1)
  setPaused(true)
  vi.advanceTimersByTime(30_000)
  expect(happened).toHaveLength(1)
  hub.write(BEAT)
  setPaused(false)
  await heard(2)
  vi.advanceTimersByTime(10_000)
  expect(happened[2]).toEqual(['silent', undefined])
})

test('[M78] of its silence only what comes after counts', async () => {
  const { setPaused, happened } = await opened()
  setPaused(true)
  vi.advanceTimersByTime(3000)
  setPaused(false)
  vi.advanceTimersByTime(8000)
  expect(happened).toEqual([])
  vi.advanceTimersByTime(1000)
  expect(happened).toEqual([['silent', undefined]])
})

test('[C66] after goodbye nothing more is said, and what the hub says is heard', async () => {
  const { hub, bye, say, heard } = await opened()
  await new Promise<void>(bye)
  say('{"got":1}')
  hub.write(BEAT)
  expect(await heard(1)).toHaveLength(1)
})

test('[C60] each frame of the hub is told as what it is', async () => {
  const { hub, heard, takes } = await opened()
  const slips = [{ conversation: 'work', replies: [] }]
  const place = { conversation: 'work', visit: 'v1' }
  expect(takes()).toBe(true)
  for (const frame of [
    { mcp: { id: 1 } },
    { slips, mcp: { id: 2 } },
    { refused: 'Not today' },
    { conversation: 'work' },
    { seated: place },
    { bye: 'ending' },
    { mcp: { id: 3 } },
  ])
    hub.write(`${JSON.stringify(frame)}\n`)
  expect(await heard(6)).toEqual([
    ['mcp', '{"id":1}', { id: 1 }],
    ['mcp', '{"id":2}', { id: 2 }, slips],
    ['refused', 'Not today'],
    ['settled', 'work'],
    ['joined', place],
    ['mcp', '{"id":3}', { id: 3 }],
  ])
  // Whoever said goodbye takes nothing more.
  expect(takes()).toBe(false)
})

test('[C79] a connection that ended tells how, once everything was said', async () => {
  const last = Promise.withResolvers<() => void>()
  const { hub, ended, happened, takes, say } = await opened({ lastWords: last.resolve })
  hub.end('{"bye":"stopped"}\n')
  const heard = once(hub.setEncoding('utf8'), 'data')
  const isOver = await last.promise
  say('{"got":1}')
  expect(await heard).toEqual(['{"got":1}\n'])
  isOver()
  expect(await ended).toEqual({ farewell: 'stopped', heard: true, welcomed: false })
  expect([happened, takes(), vi.getTimerCount()]).toEqual([[['full', false]], false, 0])
  // Nobody hears it, and nothing breaks.
  say('{"got":2}')
})

test('[C66] goodbye is said, and told once the hub can know', async () => {
  const { hub, bye } = await opened()
  const text = once(hub.setEncoding('utf8'), 'data')
  await new Promise<void>(bye)
  expect(await text).toEqual(['{"bye":true}\n'])
})

test('[C66] goodbye to a hub that is gone is over when the connection is', async () => {
  const { socket, bye, ended } = await opened()
  const said = new Promise<void>(bye)
  socket.destroy()
  await Promise.all([said, ended])
})

test('[M78] more than 1 MiB on its way to the hub is too much, until it was read', async () => {
  const { hub, socket, say, happened, heard } = await opened()
  socket.cork()
  // A frame has its line end.
  say('x'.repeat(MOST_UNREAD - 1))
  expect(happened).toEqual([])
  say('')
  expect(happened).toEqual([['full', true]])
  socket.uncork()
  hub.resume()
  expect(await heard(2)).toEqual([
    ['full', true],
    ['full', false],
  ])
})

test('[C79] a connection that breaks is one that ended', async () => {
  const { socket, ended } = await opened()
  socket.emit('error', new Error('ECONNRESET'))
  expect(await ended).toEqual({ heard: false, welcomed: false })
})

async function connected(path: string): Promise<Socket> {
  const socket = connect({ path, allowHalfOpen: true })
  await once(socket, 'connect')
  return socket
}
