import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { builtLine, startsIn } from '../support/lines/built-line.ts'
import { lineAndHub } from '../support/lines/line-here.ts'
import { listenAsHub } from '../support/lines/scripted-hub.ts'

const { line: start, freshFolder } = builtLine()

/** A line of a hub that its owner stops, with this said and unanswered. */
async function stoppedWith(method: string) {
  const data = await freshFolder()
  await mkdir(data)
  await writeFile(join(data, 'script.json'), '{}')
  const hub = await listenAsHub(data)
  const line = start(data)
  const first = await hub.connection()
  first.welcome()
  line.request(1, method)
  await first.next()
  await Promise.all([hub.close(), first.goodbye('stopped')])
  return { data, line, first }
}

test('[C166] a request that the hub left without an answer when it was stopped is a reason to start the next', async () => {
  const { data, line } = await stoppedWith('ping')
  const { id, result } = await line.next()
  expect(id).toBe(1)
  expect(startsIn(data)).toMatchObject([{ pid: result.pid }])
})

test('[C166] a stream of news that the client left open is none', async () => {
  const { data, first } = await stoppedWith('subscriptions/listen')
  const next = await listenAsHub(data)
  const second = await next.connection()
  expect(second.hello.line).toBe(first.hello.line)
  expect(await second.next()).toMatchObject({ mcp: { id: 1, method: 'subscriptions/listen' } })
  expect(startsIn(data)).toEqual([])
})

test('[C167] what was written after the connection it came over is told to the next, with what was in it', async () => {
  const { line, hub } = await lineAndHub({ patience: { tickMs: 50, ticks: 10 } })
  const first = await hub.connection()
  line.output.pause()
  line.request(1, 'tools/call')
  const { key } = await first.next()
  const delivered = [{ conversation: 'work', replies: ['0000000000000001'] }]
  first.say({ slips: delivered, mcp: { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(900 * 1024) } } })
  first.say({ bye: 'ending' })
  // The line has it by now, and its client has not.
  line.request(2, 'ping')
  const other = hub.connection()
  // What has not been read of a connection that is destroyed may be lost with it.
  first.socket.end()
  const second = await other
  expect(second.hello.slips).toEqual([])
  expect((await second.next()).mcp.id).toBe(2)
  line.output.resume()
  expect(await second.next()).toEqual({ got: key, slips: delivered })
})

test('[M75] an answer whose call was cancelled meanwhile is not shown to the next hub', async () => {
  const { line, hub } = await lineAndHub()
  const first = await hub.connection()
  const delivered = [{ conversation: 'work', replies: ['0000000000000001'] }]
  for (const id of [1, 2]) {
    line.request(id, 'tools/call')
    const { key } = await first.next()
    first.say({ slips: [{ ...delivered[0], conversation: `work ${id}` }], mcp: { jsonrpc: '2.0', id, result: {} } })
    await line.next()
    expect(await first.next()).toEqual({ got: key })
  }
  line.notify('notifications/cancelled', { requestId: 1 })
  expect((await first.next()).mcp.method).toBe('notifications/cancelled')
  first.socket.destroy()
  expect((await hub.connection()).hello.slips).toEqual([{ ...delivered[0], conversation: 'work 2' }])
})

test('[M76] a cancel that comes long after its answer is not told to the hub', async () => {
  const { line, hub } = await lineAndHub()
  const end = await hub.connection()
  line.request(1, 'tools/call')
  const { key } = await end.next()
  end.say({ slips: [{ conversation: 'work', replies: ['1'] }], mcp: { jsonrpc: '2.0', id: 1, result: {} } })
  await line.next()
  expect(await end.next()).toMatchObject({ got: key })
  const uptime = vi.spyOn(process, 'uptime').mockReturnValue(process.uptime() + 6)
  onTestFinished(() => uptime.mockRestore())
  line.notify('notifications/cancelled', { requestId: 1 })
  line.request(2, 'ping')
  expect((await end.next()).mcp.id).toBe(2)
})

test('[M83] a line that cannot show the key of its hub tells the newest of what its client has, and no more', async () => {
  const { line, hub } = await lineAndHub()
  const first = await hub.connection()
  const brought = Array.from({ length: 30 }, (_, n) => ({ conversation: `${n}`, replies: [`${n}`] }))
  for (const [id, one] of brought.entries()) {
    line.request(id, 'tools/call')
    const { key } = await first.next()
    first.say({ slips: [one], mcp: { jsonrpc: '2.0', id, result: {} } })
    expect(await first.next()).toEqual({ got: key, slips: undefined })
  }
  first.socket.destroy()
  // Each weighs 2, and 16 are left for places.
  expect((await hub.connection()).hello.slips).toEqual(brought.slice(-24))
})
