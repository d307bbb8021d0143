import { InMemoryTransport, Server } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { SUBSCRIBERS } from '../../../../test/support/mcp/surfaces.ts'
import { createDrivers } from '../../../chat/driving/drivers.ts'
import { type Resources, serveResources } from './resources.ts'

test('[M33] pins that are known only when their client is gone are followed for nobody', async () => {
  const loaded = Promise.withResolvers<string[]>()
  let followers = 0
  const resources: Resources = {
    list: [],
    templates: [],
    read: async (uri) => ({ uri, text: '' }),
    check() {},
    onChange() {
      followers++
      return { close: () => followers-- }
    },
    pins: { of: () => loaded.promise, add: async () => {}, remove: async () => {} },
    subscribers: SUBSCRIBERS,
    drivers: createDrivers(),
  }
  const server = new Server({ name: 'test', version: '1' }, { capabilities: {} })
  serveResources(server, resources, { principal: { id: 'ada', name: 'ada', role: 'human' }, tells: 'subscribed' })
  const [transport] = InMemoryTransport.createLinkedPair()
  await server.connect(transport)
  await server.close()
  loaded.resolve(['ui://chat/inbox'])
  await loaded.promise
  await new Promise(setImmediate)
  expect(followers).toBe(0)
})
