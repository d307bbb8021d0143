import { expect, test } from 'vitest'
import type { Era } from '../support/agent.ts'
import { startGateway, untilMount, upstream } from '../support/upstream/gateway.ts'
import { realServer } from '../support/upstream/real-servers.ts'

test.each<Era>(['legacy', 'modern'])('[G53] instructions of servers reach clients (%s)', async (era) => {
  const text = `Use\u001b[31m it \u202ewell.\n${'long '.repeat(1000)}`
  const { connect, gateway } = await startGateway({
    servers: { all: realServer('everything'), mine: upstream({ UPSTREAM_INSTRUCTIONS: text }), mute: upstream() },
  })
  for (const name of ['all', 'mine', 'mute']) await untilMount(gateway, name, ({ state }) => state === 'ready')
  const told = (await connect(era)).getInstructions() ?? ''
  expect(told).toMatch(/^Tools of mounted servers .* Mounted servers: all, mine, mute\.\n\n/)
  expect(told).toContain('The server all says:\n# Everything Server')
  expect(told).toMatch(/The server mine says:\nUse\[31m it well\.\nlong .*…$/)
  expect(told.length).toBeLessThan(5000)
  gateway.pause('all')
  expect((await connect(era)).getInstructions()).not.toContain('The server all')
})
