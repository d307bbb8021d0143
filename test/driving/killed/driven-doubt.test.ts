import { expect, test } from 'vitest'
import { acpDriver } from '../../../src/agents/acp/driver.ts'
import { PATIENCE } from '../../../src/agents/acp/patience.ts'
import type { Driver } from '../../../src/agents/driver.ts'
import { startDriven, startRunner } from '../../support/driven/driven.ts'
import { aFolder, linesIn, SCRIPTED, scriptedIn } from '../../support/driven/driven-agent.ts'
import { scriptedDriver } from '../../support/driven/scripted-driver.ts'
import { eventually } from '../../support/eventually.ts'

const GONE = 'The agent is gone'

test('[O98] a prompt that never came to an agent that is lost is given to the next one, and the loss is told', async () => {
  const { agent, said } = await sayToLost({ had: false, losses: 1 })
  const { watch } = said
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'ended' }])
  expect(agent.started.map(({ doubtful }) => doubtful)).toEqual([undefined, true])
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

test('[O98] a prompt that is lost with each agent is given four times', async () => {
  const { agent, said } = await sayToLost({ had: false, losses: 9 })
  expect(await said.watch.until('turn')).toMatchObject([{ outcome: 'failed' }])
  expect(agent.prompts).toEqual(Array(4).fill('One'))
})

test('[O36] [O151] what is changed while it is not known whether it came is given once, and never as if it were two', async () => {
  const agent = scriptedDriver(
    async () => {
      if (agent.started.length > 1) return undefined
      await said.view.revise('work', (await first).id, 'Two')
      agent.lose(GONE)
      return new Promise(() => {})
    },
    { had: false, id: () => 'session-1' },
  )
  const said = await startDriven({ driver: agent.driver })
  const first = said.view.say('work', { text: 'One' })
  await said.watch.until('turn')
  await said.view.say('work', { text: 'Three' })
  await eventually(() => expect(agent.prompts.join('\n\n')).toMatch(/Three$/))
  const told = agent.prompts.slice(1).join('\n\n')
  const change = 'The person changed an earlier message, "One". It now says:\n\nTwo'
  // Whether the change was known when the next agent came is up to the moment.
  expect(['Two\n\nThree', `One\n\n${change}\n\nThree`]).toContain(told)
})

test('[O151] what is changed while no orchestrator is there is said once by the next one', async () => {
  const agents = [0, 1].map(() => scriptedDriver(() => undefined))
  const { data, view, watch, runner } = await startDriven({ driver: agents[0]?.driver as Driver })
  const first = await view.say('work', { text: 'One' })
  await watch.until('turn')
  await runner.close()
  const second = await view.say('work', { text: 'Two' })
  await view.revise('work', first.id, 'One, better')
  await view.revise('work', second.id, 'Two, better')
  await startRunner(data, { driver: agents[1]?.driver as Driver })
  await watch.until('turn', 2)
  const change = 'The person changed an earlier message, "One". It now says:\n\nOne, better'
  expect(agents.flatMap(({ prompts }) => prompts)).toEqual(['One', expect.stringContaining(`Two, better\n\n${change}`)])
})

test.for([
  { kept: false, outcome: 'ended' },
  { kept: true, outcome: 'failed' },
])(
  '[O98] the same words once more are another prompt: lost with the agent (kept: $kept), they are given once and have $outcome',
  async ({ kept, outcome }) => {
    const { view, watch, prompts } = await driveAcp({ dies: { behind: 1, kept } })
    for (const n of [1, 2, 3]) {
      await view.say('work', { text: 'continue' })
      await watch.until('turn', n)
    }
    expect(watch.bodies('turn').map(({ outcome }) => outcome)).toEqual(['ended', outcome, 'ended'])
    expect(prompts()).toEqual(['continue', 'continue', 'continue'])
    expect(watch.bodies('error')).toHaveLength(1)
  },
)

test('[O70] [O190] what is said while an agent ignores a stop is given to the next one, and only the stop is told', async () => {
  const { view, watch, prompts } = await driveAcp({}, { cancelMs: 100, stuckMs: 1000 })
  await view.say('work', { text: 'do stuck' })
  await eventually(() => expect(watch.bodies('receipt')).toHaveLength(1))
  await eventually(() => expect(prompts()).toEqual(['do stuck']))
  await view.interrupt('work')
  await watch.until('turn')
  await view.say('work', { text: 'Where were we?' })
  await watch.until('turn', 2)
  expect(watch.bodies('turn').map(({ outcome }) => outcome)).toEqual(['cancelled', 'ended'])
  expect(watch.bodies('error')).toMatchObject([{ error: 'Robo did not stop within 1 s and was ended' }])
  expect(prompts()).toEqual(['do stuck', 'Where were we?'])
})

async function driveAcp(nature: object, patience: object = {}) {
  const folder = aFolder()
  const environment = { ...scriptedIn(folder), ACP_AGENT: JSON.stringify(nature) }
  const driver = acpDriver({ command: SCRIPTED, name: 'Robo', environment }, { ...PATIENCE, ...patience })
  const prompts = () => linesIn(folder, 'prompts').map(({ text }) => text)
  return { ...(await startDriven({ driver })), prompts }
}

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
