import { expect, test } from 'vitest'
import { lineAndHub, startLine } from '../../test/support/line-process.ts'

test('[C166] a request that the hub left without an answer when it was stopped is a reason to look for the next', async () => {
  const { line, hub } = await lineAndHub()
  const first = await hub.connection()
  first.welcome()
  line.request(1, 'tools/call')
  const asked = await first.next()
  await first.goodbye('stopped')
  const second = await hub.connection()
  expect(await second.next()).toMatchObject(asked)
  second.answer(1)
  expect(await line.next()).toMatchObject({ id: 1 })
})

test('[C166] a stream of news that the client left open is none', async () => {
  const { line, hub, data } = await lineAndHub()
  const first = await hub.connection()
  first.welcome()
  line.request(1, 'subscriptions/listen')
  await first.next()
  await first.goodbye('stopped')
  const other = startLine({ env: { PARLEY_DATA: data } })
  const { hello } = await hub.connection()
  expect(hello.line).not.toBe(first.hello.line)
  other.child.stdin.end()
  await other.ended
  line.request(2, 'ping')
  const second = await hub.connection()
  expect([await second.next(), await second.next()].map(({ mcp }) => mcp.id)).toEqual([1, 2])
})

test('[C167] what was written after the connection it came over is told to the next, with what was in it', async () => {
  const { line, hub } = await lineAndHub()
  const first = await hub.connection()
  line.child.stdout.pause()
  line.request(1, 'tools/call')
  const { key } = await first.next()
  const slips = [{ conversation: 'work', replies: ['0000000000000001'] }]
  first.say({ slips, mcp: { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(900 * 1024) } } })
  first.say({ bye: 'ending' })
  // The line has it by now, and its client has not.
  line.request(2, 'ping')
  const other = hub.connection()
  first.socket.destroySoon()
  const second = await other
  expect(second.hello.slips).toEqual([])
  expect((await second.next()).mcp.id).toBe(2)
  line.child.stdout.resume()
  expect(await second.next()).toEqual({ got: key, slips })
})

test('[M75] an answer whose call was cancelled meanwhile is not shown to the next hub', async () => {
  const { line, hub } = await lineAndHub()
  const first = await hub.connection()
  const slips = [{ conversation: 'work', replies: ['0000000000000001'] }]
  for (const id of [1, 2]) {
    line.request(id, 'tools/call')
    const { key } = await first.next()
    first.say({ slips: [{ ...slips[0], conversation: `work ${id}` }], mcp: { jsonrpc: '2.0', id, result: {} } })
    await line.next()
    expect(await first.next()).toEqual({ got: key })
  }
  line.notify('notifications/cancelled', { requestId: 1 })
  expect((await first.next()).mcp.method).toBe('notifications/cancelled')
  first.socket.destroy()
  expect((await hub.connection()).hello.slips).toEqual([{ ...slips[0], conversation: 'work 2' }])
})
