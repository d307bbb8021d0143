import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { SUBSCRIBERS } from '../../../../test/support/mcp/surfaces.ts'
import { createDrivers } from '../../../chat/driving/drivers.ts'
import { INBOX } from '../../../protocol/frames/inbox.ts'
import { openLineConnection } from '../lines/line-connection.ts'
import { LISTEN, openListening } from './listening.ts'

const REQUEST = {
  jsonrpc: '2.0',
  id: 1,
  method: LISTEN,
  params: {
    _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
    notifications: { resourceSubscriptions: [INBOX] },
  },
}

test('[I43] an orchestrator that is gone before it is known what it has pinned drives nothing', async () => {
  const loaded = Promise.withResolvers<string[]>()
  const drivers = createDrivers()
  const resources = {
    list: [],
    templates: [],
    read: async (uri: string) => ({ uri, text: '' }),
    check() {},
    onChange: () => ({ close() {} }),
    pins: { of: () => loaded.promise, add: async () => {}, remove: async () => {} },
    subscribers: SUBSCRIBERS,
    drivers,
  }
  const { begin, close } = openListening({
    principal: { id: 'runtime', name: 'runtime', role: 'orchestrator' },
    resources,
  })
  const begun = begin(REQUEST)
  close()
  loaded.resolve([])
  await begun
  expect(drivers.drive(undefined)).toBe(false)
})

test('[I40] a line whose pins cannot be read is told so, and one that is gone needs no answer', async () => {
  const written: string[] = []
  const reported: unknown[] = []
  const failure = new Error('The log is gone')
  const socket = new Duplex({
    read() {},
    write(chunk, _, done) {
      written.push(String(chunk))
      done()
    },
  })
  const { hear, end } = openLineConnection(socket as Socket, {
    build: () => expect.unreachable(),
    listening: () => Promise.reject(failure),
    dismiss() {},
    guest: { tells() {}, asks: () => undefined, reads() {} },
    remember() {},
    answered() {},
    closed() {},
    report: (error) => reported.push(error),
  })
  hear({ mcp: REQUEST, key: 'k' }, 0)
  await new Promise(setImmediate)
  expect(written.map((line) => JSON.parse(line).mcp)).toEqual([
    { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } },
  ])
  hear({ mcp: REQUEST, key: 'l' }, 0)
  end()
  await new Promise(setImmediate)
  expect(reported).toEqual([failure, failure])
  expect(written).toHaveLength(1)
})
