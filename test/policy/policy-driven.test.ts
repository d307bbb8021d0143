import { expect, test } from 'vitest'
import { acpDriver } from '../../src/agents/acp/driver.ts'
import { DRIVING } from '../../src/protocol/frames/driving.ts'
import { ask } from '../support/chat.ts'
import { startDriven } from '../support/driven/driven.ts'
import { scriptedDriver } from '../support/driven/scripted-driver.ts'
import { folderWithPolicy } from '../support/policy/policy.ts'

const command = `${process.execPath} ${new URL('../support/driven/acp-agent.ts', import.meta.url).pathname}`

/** An ACP agent that is driven, where these rules count. */
async function drivenUnder(...rules: object[]) {
  const { view, watch, runner } = await startDriven({ driver: acpDriver({ command }) }, await folderWithPolicy(rules))
  return { view, watch, runner, said }

  /** What the agent said. */
  function said() {
    const own = watch.bodies('message').filter(({ author }) => author === 'assistant')
    return own.map(({ text }) => text).join('')
  }
}

test('[O112] a permission that a rule allows takes the option that allows once, and nobody is asked', async () => {
  const { view, watch, runner, said } = await drivenUnder({ server: 'agent', tool: 'Bash', decision: 'allow' })
  await view.say('work', { text: 'do permission\ndo permission' })
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'ended' }])
  expect(said()).toBe('taken: yes-1taken: yes-1')
  expect(watch.bodies('question')).toEqual([])
  const permitted = { granted_by: 'policy', driven: true, decided: { decision: 'allow', rule: { id: '#1' } } }
  expect(watch.bodies('permitted_call')).toMatchObject([permitted, permitted])
  expect(runner.problems).toEqual([])
})

test('[O112] one that a rule denies takes the option that rejects once, and the agent is told why', async () => {
  const reason = 'Nothing is touched here'
  const { view, watch, said } = await drivenUnder({ tool: 'Bash', decision: 'deny_continue', reason })
  await view.say('work', { text: 'do permission\ndo say Well' })
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'ended' }])
  expect(said()).toBe('taken: no-1Well')
  expect(watch.bodies('refused_call')).toMatchObject([{ driven: true, decided: { decision: 'deny_continue', reason } }])
  await view.say('work', { text: 'Go on' })
  await watch.until('turn', 2)
  expect(said()).toContain('You said: About "touch file": Nothing is touched here')
})

test('[O112] where it has no such option the permission is cancelled', async () => {
  const { view, watch, said } = await drivenUnder({ decision: 'deny_continue' })
  await view.say('work', { text: 'do afterwards' })
  await watch.until('refused_call')
  await expect.poll(said).toContain('Not pushed.')
  expect(watch.bodies('question')).toEqual([])
})

test('[A45] among several options that allow once a person chooses, whatever the rule', async () => {
  const { view, watch, said } = await drivenUnder({ decision: 'allow', reason: 'All is well' })
  await view.say('work', { text: 'do choice' })
  const [question] = await watch.until('question')
  expect(question?.approval).toMatchObject({ options: [{}, {}, {}] })
  expect(question?.approval).not.toHaveProperty('reason')
  const { id = '' } = watch.seen.find(({ body }) => body.kind === 'question') ?? {}
  await view.takeOption(id, 'q0_opt_1')
  await watch.until('turn')
  expect(said()).toBe('{"outcome":"selected","optionId":"q0_opt_1"}')
})

test('[O113] a rule that ends the turn cancels it, as if somebody had stopped it, and nobody is said to have', async () => {
  const { view, watch, runner, said } = await drivenUnder({ tool: 'Bash', decision: 'deny_abort', reason: 'Enough' })
  await view.say('work', { text: 'do permission\ndo slow 10000' })
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'cancelled' }])
  expect(watch.bodies('refused_call')).toMatchObject([{ decided: { decision: 'deny_abort', reason: 'Enough' } }])
  expect(watch.bodies('message').filter(({ author }) => author === 'user')).toMatchObject([
    { text: 'do permission\ndo slow 10000' },
  ])
  expect((await view.conversation('work')).stop).toBeUndefined()
  // The next turn is not ended by it.
  await view.say('work', { text: 'do say Back' })
  expect((await watch.until('turn', 2))[1]).toMatchObject({ outcome: 'ended' })
  expect(said()).toContain('Back')
  expect(runner.problems).toEqual([])
})

test('[O113] also where the agent asked by itself, in a call of its own', async () => {
  let stops = 0
  const { driver } = scriptedDriver(async ({ text }, { stopped }) => {
    if (text !== 'Go') return undefined
    const approval = { tool_name: 'Deploy', input: '{}' }
    await ask(view, { by: 'agent', text: 'Allow?', approval })
    await stopped
    stops++
    return undefined
  })
  const { view, watch } = await startDriven(
    { driver },
    await folderWithPolicy([{ tool: 'Deploy', decision: 'deny_abort' }]),
  )
  await view.say('work', { text: 'Go' })
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'cancelled' }])
  expect(stops).toBe(1)
  await view.say('work', { text: 'Again' })
  expect((await watch.until('turn', 2))[1]).toMatchObject({ outcome: 'ended' })
})

test('[O113] and where a call of a mounted tool is denied so', async () => {
  const { driver } = scriptedDriver(async (_, { stopped }) => {
    const decided = { decision: 'deny_abort' } as const
    const call = { by: 'agent', tool_name: 'files_write', server: 'files', decided }
    await view.record('work', { kind: 'tool_result', ...call, result: 'No', success: false })
    await stopped
    return undefined
  })
  const { view, watch } = await startDriven({ driver })
  await view.say('work', { text: 'Go' })
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'cancelled' }])
})

test('[O114] what only the hub knows of a call is not taken from who drives', () => {
  const approval = { tool_name: 'Bash', input: '{}', server: 'files', reason: 'Because', masked: 3, tool_changed: true }
  const asked = { session_id: 'work', holder: 'me', key: 'k', text: 'Allow?', approval }
  expect(DRIVING.ask_person.input.parse(asked).approval).toEqual({ tool_name: 'Bash', input: '{}' })
})
