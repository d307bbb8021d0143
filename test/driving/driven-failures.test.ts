import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../src/agents/store.ts'
import { newTurn } from '../../src/agents/turns/ui-state.ts'
import { ParleyError } from '../../src/protocol/errors.ts'
import { startDriven, startRunner, watching } from '../support/driven/driven.ts'
import { scriptedDriver } from '../support/driven/scripted-driver.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'

test('[O49] an agent that dies in a turn is told of, and the next one goes on with its session', async () => {
  const agent = scriptedDriver(
    async ({ text }, { happens }) => {
      if (text !== 'One') return undefined
      happens({ type: 'text', text: 'I was about to' })
      agent.lose('The agent is gone: it ended with code 1')
      return new Promise(() => {})
    },
    { id: ({ resume }) => resume ?? 'session-1' },
  )
  const { view, watch } = await startDriven({ driver: agent.driver })
  await view.say('work', { text: 'One' })
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'failed' }])
  expect(watch.bodies('error')).toMatchObject([{ error: 'The agent is gone: it ended with code 1' }])
  expect(watch.bodies('message').at(-1)).toMatchObject({ author: 'assistant', text: 'I was about to' })
  await view.say('work', { text: 'Two' })
  await watch.until('turn', 2)
  expect(agent.started.map(({ resume }) => resume)).toEqual([undefined, 'session-1'])
  expect(agent.prompts).toEqual(['One', 'Two'])
})

test('[O49] an agent that dies between turns is told of once', async () => {
  const agent = scriptedDriver(() => undefined)
  const { view, watch } = await startDriven({ driver: agent.driver })
  await view.say('work', { text: 'One' })
  await watch.until('turn')
  agent.lose('The agent is gone')
  expect(await watch.until('error')).toMatchObject([{ error: 'The agent is gone' }])
})

test('[O50] an agent that remembers nothing is told with its first prompt what was said before', async () => {
  const agent = scriptedDriver(
    (_, { happens }) => {
      happens({ type: 'text', text: 'Blue' })
      return undefined
    },
    { remembers: false },
  )
  const { view, watch } = await startDriven({ driver: agent.driver })
  await view.say('work', { text: 'Which colour?' })
  await watch.until('turn')
  agent.lose('The agent is gone')
  await watch.until('error')
  await view.say('work', { text: 'Sure?' })
  await watch.until('turn', 2)
  await view.say('work', { text: 'Thanks' })
  await watch.until('turn', 3)
  expect(agent.prompts[0]).toBe('Which colour?')
  expect(agent.prompts[1]).toContain('Person: Which colour?\nYou: Blue\n')
  expect(agent.prompts[1]).toMatch(/Sure\?$/)
  expect(agent.prompts[2]).toBe('Thanks')
})

test('[O51] an agent that cannot be started is told of once and tried again; until then nothing counts as received', async () => {
  let problem: ParleyError | undefined = new ParleyError('usage', { problem: 'The agent wants a login' })
  let tries = 0
  const agent = scriptedDriver(() => undefined, {
    starts() {
      tries++
      if (problem) throw problem
    },
  })
  const { view, watch } = await startDriven({ driver: agent.driver })
  const first = await view.say('work', { text: 'One' })
  expect(await watch.until('error')).toMatchObject([{ error: 'The agent wants a login' }])
  await view.revise('work', first.id, 'One, in other words')
  problem = undefined
  await watch.until('turn')
  expect(tries).toBeGreaterThan(1)
  expect(watch.bodies('error')).toHaveLength(1)
  expect(agent.prompts).toEqual(['One, in other words'])
})

test('[O52] everything from the beginning is given, page by page, and nothing of an assistant’s', async () => {
  const { driver, prompts } = scriptedDriver(() => undefined)
  const idle = scriptedDriver(() => undefined)
  const { data, view, watch, runner } = await startDriven({ driver: idle.driver, conversation: 'other' })
  await runner.close()
  const numbers = Array.from({ length: 1050 }, (_, n) => `Number ${n};`)
  // At once: one after the other they would each wait for the disk.
  const said = numbers.flatMap((text) => [
    view.say('work', { text }),
    ...(text.endsWith('0;') ? [view.tell('work', { by: 'agent', text: 'Not this' })] : []),
  ])
  await Promise.all(said)
  await startRunner(data, { driver, state: ':memory:' })
  await watch.until('turn')
  expect(prompts).toEqual([numbers.join('\n\n')])
})

test('[O53] who does not hold a conversation waits, and goes on when it is let go', async () => {
  const [one, other] = [scriptedDriver(() => undefined), scriptedDriver(() => undefined)]
  const { data, view, watch, runner } = await startDriven({ driver: one.driver })
  await view.say('work', { text: 'One' })
  await watch.until('turn')
  await startRunner(data, { driver: other.driver, state: ':memory:' })
  await view.say('work', { text: 'Two' })
  await watch.until('turn', 2)
  await runner.close()
  await view.say('work', { text: 'Three' })
  await watch.until('turn', 3)
  expect([one.prompts, other.prompts]).toEqual([['One', 'Two'], ['Three']])
})

test('[O216] while its folder is gone nothing is given to an agent, and the page says so', async () => {
  const folder = join(await temporaryFolder(), 'gone')
  const agent = scriptedDriver(() => undefined)
  const { view, watch } = await startDriven({ driver: agent.driver, folder })
  await view.say('work', { text: 'One' })
  const error = `${folder} does not exist; make it, or name another with --cwd`
  expect(await watch.until('error')).toMatchObject([{ error }])
  expect(agent.started).toEqual([])
  await mkdir(folder)
  await watch.until('turn')
  expect(agent.prompts).toEqual(['One'])
})

test.each([
  ['has heard', true, []],
  ['has not heard', false, ['One']],
])(
  '[O54] what was given before a crash is told of as failed where the agent %s it, and else given',
  async (_, had, given) => {
    const data = await temporaryFolder()
    const { view } = await startHubWithSocket(data)
    const { id } = await view.say('work', { text: 'One' })
    const state = join(data, 'runner.db')
    const before = openStore(state)
    before.take('ui://chat/inbox/work', [{ id, conversation: 'work', text: 'One' }], id)
    before.give('work', [id], newTurn('t1', [id]))
    before.saveSession('work', 'session-1')
    before.close()
    const agent = scriptedDriver(() => undefined, { had, id: () => 'session-1' })
    await startRunner(data, { driver: agent.driver, state })
    const watch = watching(view)
    expect(await watch.until('turn')).toMatchObject([{ outcome: had ? 'failed' : 'ended' }])
    expect(watch.bodies('error')).toHaveLength(had ? 1 : 0)
    await view.say('work', { text: 'Two' })
    await watch.until('turn', 2)
    expect(agent.prompts).toEqual([...given, 'Two'])
  },
)

test('[O186] a secret in a problem, a command line or an address is neither stored nor shown', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`
  const { driver } = scriptedDriver((_, { happens }) => {
    happens({ type: 'notice', text: `Cannot reach https://anna:hunter2@models.example (TOKEN=${secret})` })
    return { outcome: 'failed', problem: `Refused: --token ${secret}` }
  })
  const { view } = await startDriven({ driver, name: 'robot' })
  const agent = `robo --api-key ${secret}`
  view.driver().showFailedRun({ name: `${agent} in shop`, folder: '/shop', agent, max_sessions: 1, problem: agent })
  const shown = 'robo --api-key [masked]'
  const failed = { name: `${shown} in shop`, agent: shown, problem: shown }
  expect(view.driving.runners()).toContainEqual(expect.objectContaining(failed))
  const { conversation } = await view.start({ runner: 'robot' }, { text: 'Go' }, 'k')
  const there = watching(view, conversation)
  await there.until('turn')
  expect(there.bodies('error')).toMatchObject([{ error: 'Refused: --token [masked]' }])
  expect(JSON.stringify([there.seen, view.driving.driven(), view.driving.runners()])).not.toMatch(/ghp_|hunter2/)
})
