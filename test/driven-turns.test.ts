import { expect, test } from 'vitest'
import { startDriven } from './support/runner.ts'
import { scriptedDriver } from './support/scripted-driver.ts'

test('[O40] what a person says is the agent’s prompt, and its answer is one message', async () => {
  const { driver, prompts } = scriptedDriver((_, { happens }) => {
    for (const text of ['Hel', 'lo ', 'you']) happens({ type: 'text', text })
    return undefined
  })
  const { view, watch, runner } = await startDriven({ driver })
  await view.say('work', { text: 'Hello' })
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'ended', duration_ms: expect.any(Number) }])
  expect(prompts).toEqual(['Hello'])
  expect(watch.bodies('message').map(({ author, text, by }) => [author, text, by])).toEqual([
    ['user', 'Hello', expect.any(String)],
    ['assistant', 'Hello you', 'scripted'],
  ])
  expect(runner.problems).toEqual([])
})
