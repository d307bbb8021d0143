import { expect, onTestFinished, test, vi } from 'vitest'
import { startDriven } from '../support/driven/driven.ts'
import { scriptedDriver } from '../support/driven/scripted-driver.ts'
import { eventually } from '../support/eventually.ts'

test('[O192] a lease that is over without the runner having noticed is taken again: nobody is told, and what was shown is shown', async () => {
  const modes = { current: 'ask', all: [{ id: 'ask', name: 'Ask' }] }
  const agent = scriptedDriver((_, { happens }) => {
    happens({ type: 'controls', modes })
    return undefined
  })
  const { view, watch, runner } = await startDriven({ driver: agent.driver })
  const shown = () => view.driving.driven().find(([conversation]) => conversation === 'work')?.[1]
  await view.say('work', { text: 'One' })
  await watch.until('turn')
  await eventually(() => expect(shown()).toMatchObject({ state: 'idle', modes }))
  const uptime = process.uptime.bind(process)
  const later = vi.spyOn(process, 'uptime').mockImplementation(() => uptime() + 600)
  onTestFinished(() => later.mockRestore())
  await view.say('work', { text: 'Two' })
  await watch.until('turn', 2)
  expect(agent.prompts).toEqual(['One', 'Two'])
  expect(watch.bodies('error')).toEqual([])
  await eventually(() => expect(shown()).toMatchObject({ state: 'idle', modes }))
  expect(runner.problems).toEqual([])
})
