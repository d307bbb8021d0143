import { describe, expect, test } from 'vitest'
import { driveModel, TOOLS_SERVER } from '../../../test/support/driven/driven-model.ts'
import { FAMILIES } from '../../../test/support/driven/model-servers.ts'

const servers = [TOOLS_SERVER]
const echo = (text: string) => ({ name: 'tools_echo', input: { text } })

describe.each(FAMILIES)('a model of the %s family that wants to call a tool', (family) => {
  test('[O87] is told that and why it was denied, and goes on', async () => {
    const script = [{ calls: [echo('hi')] }, { calls: [echo('hi')] }, { say: ['As you like.'] }]
    const { agent, asked, asks, steps, text } = await driveModel(family, script, {
      servers,
      verdict: { outcome: 'denied', option: 'deny', reason: 'not today' },
    })
    expect(await agent.prompt({ text: 'Go' })).toMatchObject({ outcome: 'ended' })
    expect(asks).toHaveLength(2)
    expect(steps()[0]).toMatchObject({ state: 'failed', output: 'This call was not allowed: not today' })
    expect(JSON.stringify(asked[1]?.body.messages)).toContain('not allowed: not today')
    expect(text()).toEqual(['As you like.'])
  })

  test('[O91] is stopped at once, and nothing that was not done is told as done', async () => {
    const calls = [echo('quick'), { name: 'tools_hang', input: {} }, echo('waits')]
    const { agent, asked, asks, happened, steps } = await driveModel(family, [{ calls }, { say: ['Yes.'] }], {
      servers,
    })
    const end = agent.prompt({ text: 'Go' })
    await happened(() => asks.length === 3)
    asks[0]?.settled({ outcome: 'approved', option: 'allow_once' })
    asks[1]?.settled({ outcome: 'approved', option: 'allow_once' })
    await happened(() => steps()[0]?.state === 'done' && steps()[1]?.state === 'running')
    await agent.interrupt()
    expect(await end).toMatchObject({ outcome: 'cancelled' })
    expect(steps().map(({ state }) => state)).toEqual(['done', 'failed', 'failed'])
    await agent.prompt({ text: 'And?' })
    const told = JSON.stringify(asked[1]?.body.messages)
    expect(told).toContain('quick')
    expect(told.match(/stopped this before it was done/g)).toHaveLength(2)
  })
})

describe('a model that wants to call a tool', () => {
  test('[O87] waits for a person, who sees the call and may change it', async () => {
    const script = [{ calls: [echo('hi')] }, { say: ['Done.'] }]
    const { agent, asks, happened, steps } = await driveModel('openai', script, { servers })
    const end = agent.prompt({ text: 'Go' })
    await happened(({ type }) => type === 'ask')
    expect(steps()).toMatchObject([{ state: 'pending' }])
    expect(asks[0]?.key).toBe(steps()[0]?.id)
    expect(asks[0]?.approval).toEqual({ tool_name: 'tools_echo', input: '{"text":"hi"}' })
    asks[0]?.settled({ outcome: 'approved', input: '{"text":"changed"}' })
    await end
    expect(steps()).toMatchObject([{ state: 'done', input: { text: 'changed' }, output: 'changed' }])
  })

  test('[G291] asks the hub about each call, whatever was allowed before: rules and what is always allowed are there', async () => {
    const script = [{ calls: [echo('a')] }, { calls: [echo('b')] }, { say: ['Done.'] }]
    const { agent, asks, happened, steps } = await driveModel('openai', script, { servers })
    const end = agent.prompt({ text: 'Go' })
    await happened(() => asks.length === 1)
    asks[0]?.settled({ outcome: 'approved', option: 'allow_always' })
    await happened(() => asks.length === 2)
    asks[1]?.settled({ outcome: 'denied', reason: 'A rule of the policy denies it' })
    await end
    expect(steps().map(({ state }) => state)).toEqual(['done', 'failed'])
  })

  test('[O91] is stopped at once, even where a server does not come back', async () => {
    const { command, args } = TOOLS_SERVER
    const once = '[ -e begun ] && exec sleep 1000; touch begun; exec "$0" "$@"'
    const call = (name: string) => ({ calls: [{ name, input: {} }] })
    const { agent, happened, steps } = await driveModel('openai', [call('tools_die'), call('tools_process')], {
      servers: [{ name: 'tools', command: 'sh', args: ['-c', once, command, ...args] }],
      verdict: { outcome: 'approved', option: 'allow_once' },
    })
    const end = agent.prompt({ text: 'Go' })
    await happened(() => steps()[1]?.state === 'running')
    await agent.interrupt()
    expect(await end).toMatchObject({ outcome: 'cancelled' })
    expect(steps().map(({ state }) => state)).toEqual(['failed', 'failed'])
  })
})
