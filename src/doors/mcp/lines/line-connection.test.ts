import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ParleyError } from '../../../protocol/errors.ts'
import { type LineConnectionParts, openLineConnection } from './line-connection.ts'

const MIB = 1024 * 1024
const CANCEL = { mcp: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } } }

test.each([{ got: 'one' }, CANCEL])(
  '[S214] a line that says %j is not read on while too much of it waits for that',
  async (first) => {
    const { socket, hear, dismiss } = openSilent()
    hear(first, 0)
    hear({ ending: true }, 2 * MIB)
    expect(socket.isPaused()).toBe(true)
    expect(dismiss).not.toHaveBeenCalled()
    await turn()
    expect(dismiss).toHaveBeenCalledOnce()
    expect(socket.isPaused()).toBe(false)
  },
)

test.each([{ got: 'one' }, CANCEL])(
  '[S214] however often a line says %j, what follows waits for one turn',
  async (first) => {
    const { hear, dismiss } = openSilent()
    for (let n = 0; n < 100; n++) hear(first, 0)
    hear({ ending: true }, 0)
    await turn()
    expect(dismiss).toHaveBeenCalledOnce()
  },
)

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const PROGRESS = {
  mcp: { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
}

test.each([CANCEL, PROGRESS])(
  '[M105] %j before the first request says nothing of the era of its client',
  async (first) => {
    const build = vi.fn(() => Promise.reject(new ParleyError('cancelled')))
    const { hear } = openSilent(build)
    hear(first, 0)
    await turn()
    hear({ mcp: { jsonrpc: '2.0', id: 2, method: 'tools/list', params: { _meta: ENVELOPE } } }, 0)
    await vi.waitFor(() => expect(build).toHaveBeenCalled())
    expect(build).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ era: 'modern' }), expect.anything())
  },
)

/** A line whose client has not spoken yet. */
function openSilent(build: LineConnectionParts['build'] = () => expect.unreachable()) {
  const socket = new Duplex({ read() {}, write: (_, __, done) => done() })
  const dismiss = vi.fn()
  const { hear, end } = openLineConnection(socket as Socket, {
    build,
    listening: async () => undefined,
    dismiss,
    guest: { tells() {}, asks: () => undefined, reads() {} },
    remember() {},
    answered() {},
    closed() {},
    report() {},
  })
  onTestFinished(end)
  return { socket, hear, dismiss }
}
