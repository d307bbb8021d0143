import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lineInMemory, type Rpc } from '../../../../test/support/mcp/line-in-memory.ts'
import { openLineConnection } from './line-connection.ts'
import { createTurns, type Said } from './line-turns.ts'

const DEEP = JSON.parse('{"0":'.repeat(100_000) + 0 + '}'.repeat(100_000))
const CANCEL = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'nobody' } }
const NO_TEXTS = [{ toString: 1 }, DEEP, [[]], null]

test.each([[], [CANCEL]])(
  '[M104] a name that is no text is refused, also by a call that waited for %j',
  async (...before) => {
    const { say, answerTo } = await lineInMemory({ short: true })
    for (const [id, name] of NO_TEXTS.entries()) {
      for (const one of before) say(one as Rpc)
      say({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })
      expect(await answerTo(id)).toMatchObject({ error: { code: -32602 } })
    }
  },
)

test('[M104] however deep a request is that waits for its turn, it is begun', () => {
  const begun: Said[] = []
  const { take, answered } = createTurns({ isFull: () => false, begin: (one) => begun.push(one), setPaused() {} })
  for (let id = 1; id <= 5; id++) take({ mcp: { id, method: 'tools/list', params: { DEEP } } }, 1)
  expect(begun).toHaveLength(4)
  answered(1)
  expect(begun.map(({ mcp }) => mcp.id)).toEqual([1, 2, 3, 4, 5])
})

test('[M104] what the hub cannot do with a message that waited ends that line and nobody else', async () => {
  let said = ''
  const socket = new Duplex({
    read() {},
    write(chunk, _, done) {
      said += chunk
      done()
    },
  })
  const report = vi.fn()
  const { hear, end } = openLineConnection(socket as Socket, {
    build: () => expect.unreachable(),
    listening: async () => undefined,
    dismiss() {
      throw new TypeError('broken')
    },
    guest: { tells() {}, asks: () => undefined, reads() {} },
    remember() {},
    answered() {},
    closed() {},
    report,
  })
  onTestFinished(end)
  hear({ got: 'one' }, 0)
  hear({ ending: true }, 0)
  await turn()
  expect(said).toBe('{"refused":"Something went wrong inside Parley"}\n')
  expect(report).toHaveBeenCalledExactlyOnceWith(new TypeError('broken'))
  expect(socket.writableEnded).toBe(true)
})
