import { InMemoryTransport, ProtocolError, Server } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { createMountLog } from '../mounts/mount-log.ts'
import { PATIENCE } from '../mounts/patience.ts'
import { connectUpstream } from './upstream.ts'

const QUESTION = { message: 'How many?', requestedSchema: { type: 'object' as const, properties: {} } }

test('[G37] a server hears what kept its question from being answered, not that nobody can answer', async () => {
  const { server, failWith } = await connected()
  failWith(new Error('The call was cancelled'))
  await expect(server.elicitInput(QUESTION)).rejects.toMatchObject({ code: -32603, message: 'The call was cancelled' })
  failWith(new ProtocolError(-32601, 'The client does not offer elicitation'))
  await expect(server.elicitInput(QUESTION)).rejects.toMatchObject({ code: -32601 })
})

async function connected() {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const server = new Server({ name: 'demo', version: '1' })
  await server.connect(far)
  let failure = new Error('nobody')
  await connectUpstream({
    transport: near,
    isLegacy: true,
    patience: PATIENCE,
    log: createMountLog((text) => text),
    told() {},
    asked: async () => {
      throw failure
    },
    closed() {},
  })
  return { server, failWith }

  function failWith(error: Error) {
    failure = error
  }
}
