import { expect, test } from 'vitest'
import { giveOrder } from '../../src/doors/socket/order.ts'
import { agentOverStdio, type Era } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { openPage } from '../support/page.ts'

test.for<Era>(['legacy', 'modern'])(
  '[C168] an agent whose hub was killed is there again before it calls, by its name (%s)',
  async (era) => {
    const data = await temporaryFolder()
    const args = ['stdio', '--surface', 'agent']
    const agent = await agentOverStdio({ era, name: 'some-client', args, env: { PARLEY_DATA: data } })
    const page = openPage((await agent.url) ?? '')
    await page.started
    // It has nothing to show for it.
    await agent.client.callTool({ name: 'send_progress', arguments: { text: 'Working' } })
    const conversation = await page.until(() => [...page.agents.keys()][0])
    process.kill(hubOf(data).pid, 'SIGKILL')
    await page.until(() => page.resumed.length === 2)
    await page.until(() => ['idle', 'working'].includes(page.agents.get(conversation) ?? ''))
    expect(await giveOrder(data, 'status')).toMatchObject({
      status: { lines: [{ client: 'some-client', conversation }] },
    })
  },
)
