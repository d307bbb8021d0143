import { expect, test } from 'vitest'
import { startDriven } from './support/driven.ts'
import { scriptedDriver } from './support/scripted-driver.ts'

const GONE = 'The agent is gone'

test('[O98] a prompt that never came to an agent that is lost is given to the next one, and the loss is told', async () => {
  const { agent, said } = await sayToLost({ had: false, losses: 1 })
  const { watch } = said
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'ended' }])
  expect(agent.started.map(({ doubtful }) => doubtful)).toEqual([undefined, 'One'])
  expect(agent.prompts).toEqual(['One', 'One'])
  expect(watch.bodies('error')).toMatchObject([{ error: GONE }])
})

test('[O98] a prompt that had come, or of which the agent cannot tell, is not given again', async () => {
  for (const had of [true, undefined]) {
    const { agent, said } = await sayToLost({ had, losses: 1 })
    const { view, watch } = said
    expect(await watch.until('turn')).toMatchObject([{ outcome: 'failed' }])
    expect(watch.bodies('error')).toMatchObject([{ error: GONE }])
    await view.say('work', { text: 'Two' })
    await watch.until('turn', 2)
    expect(agent.prompts).toEqual(['One', 'Two'])
  }
})

test('[O98] a prompt that is lost with each agent is given again once', async () => {
  const { agent, said } = await sayToLost({ had: false, losses: 2 })
  expect(await said.watch.until('turn')).toMatchObject([{ outcome: 'failed' }])
  expect(agent.prompts).toEqual(['One', 'One'])
})

/** To agents of which so many are gone before they say anything. */
async function sayToLost({ had, losses }: { had: boolean | undefined; losses: number }) {
  const agent = scriptedDriver(
    () => {
      if (agent.started.length > losses) return undefined
      agent.lose(GONE)
      return new Promise(() => {})
    },
    { had, id: () => 'session-1' },
  )
  const said = await startDriven({ driver: agent.driver })
  await said.view.say('work', { text: 'One' })
  return { agent, said }
}
