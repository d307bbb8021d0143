import { setImmediate as moment } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { processesOf } from '../../scripts/processes.ts'
import { agentOverStdio } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'

test('[C165] a hub that is killed while it starts leaves its agent with the next one', async () => {
  const data = await temporaryFolder()
  const starting = agentOverStdio({ env: { PARLEY_DATA: data } })
  let hub = hubIn(data)
  while (!hub) {
    await moment()
    hub = hubIn(data)
  }
  process.kill(hub.pid, 'SIGKILL')
  const agent = await starting
  expect((await agent.client.listTools()).tools).toHaveLength(1)
})

function hubIn(data: string) {
  return processesOf(data).find(({ command }) => command.includes('background.js'))
}
