import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createConsumer } from '../../src/agents/inbox-consumer.ts'
import { openStore } from '../../src/agents/store.ts'
import { EVENTS } from '../../src/protocol/frames/driving.ts'
import { inboxUri } from '../../src/protocol/frames/inbox.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { connectV2 } from '../support/mcp/sdk-clients.ts'

test('[O52] what is told before everything was read is read once, and nothing is wrong with that', async () => {
  const { url, view } = await startHub()
  const { call } = await connectV2(`${url}/mcp/orchestrator`, 'auto')
  const store = openStore(join(await temporaryFolder(), 'runs', 'agent.db'))
  onTestFinished(store.close)
  const texts: string[] = []
  const problems: unknown[] = []
  const consumer = createConsumer({
    store,
    isOurs: () => true,
    said: (said) => texts.push(...said.map(({ text }) => text)),
    happened: () => {},
    forgotten: async () => {},
    report: (error) => problems.push(error),
  })
  consumer.updated(inboxUri(), undefined)
  consumer.updated(EVENTS, undefined)
  await view.say('work', { text: 'Early' })
  await consumer.follow({ call: (name, input) => call(name, { ...input }) })
  expect(texts).toEqual(['Early'])
  expect(problems).toEqual([])
})
