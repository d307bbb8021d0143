import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/hub.ts'
import { said, startGateway, untilMount, upstream, variable } from '../support/upstream/gateway.ts'
import { mountOf } from '../support/upstream/mount-of.ts'

const QUICK = { backOffMs: 20, mostBackOffMs: 100 }

test.each([
  ['dies', 'die', 'it ended with status 3'],
  ['hangs', 'hang', 'it does not answer any more'],
  ['floods', 'flood', 'it sends more than can be read'],
])(
  '[G33] a server that %s is started again, its call gets a clear error, and the rest work on',
  async (_, deed, why) => {
    // The other one answers by then, also where the machine is busy.
    const silence = deed === 'hang' && { silenceMs: 300, pingMs: 5000 }
    const patience = { ...QUICK, messageBytes: 1024 * 1024, messagesASecond: 500, ...silence }
    const { connect, gateway } = await startGateway({ servers: { bad: upstream(), good: upstream() }, patience })
    for (const name of ['bad', 'good']) await untilMount(gateway, name, ({ state }) => state === 'ready')
    const client = await connect()
    const failing = said(client, `bad_${deed}`, { bytes: 2 * 1024 * 1024 })
    expect(await said(client, 'good_echo', { text: 'here' })).toBe('here')
    expect(await failing).toBe(`The server "bad" was lost during the call: ${why}`)
    await untilMount(gateway, 'bad', ({ state }) => state === 'ready')
    expect(await said(client, 'bad_echo', { text: 'back' })).toBe('back')
    expect(gateway.logs('bad').join('\n')).toContain(why)
  },
)

test('[G34] a server that cannot start is tried again, later each time, and its tools say why meanwhile', async () => {
  const lives = join(await temporaryFolder(), 'lives')
  const servers = { bad: upstream({ UPSTREAM_FAILS: '1', UPSTREAM_LIVES: lives }) }
  const { gateway } = await startGateway({ servers, patience: { backOffMs: 2100, mostBackOffMs: 4100 } })
  // Each time it may be one that ends at a word of the 2026 era, and is started without it.
  const first = await untilMount(gateway, 'bad', ({ state }) => state === 'failed')
  expect(first.problem).toBe('it ended with status 7; it is started again in 3 s')
  const second = await untilMount(gateway, 'bad', ({ problem }) => problem?.endsWith('5 s') ?? false)
  expect(second).toMatchObject({ name: 'bad', transport: 'stdio', state: 'failed', tools: 0 })
  expect(readFileSync(lives, 'utf8').trim().split('\n')).toHaveLength(4)
})

test('[G34] a call of a server that is lost and not back yet says when it is tried again', async () => {
  const { connect, gateway } = await startGateway({ servers: { bad: upstream() }, patience: { backOffMs: 60_000 } })
  await untilMount(gateway, 'bad', ({ state }) => state === 'ready')
  const client = await connect()
  await said(client, 'bad_die')
  await untilMount(gateway, 'bad', ({ state }) => state === 'failed')
  expect(await said(client, 'bad_echo', { text: 'there?' })).toBe(
    'The server "bad" cannot be used now: it ended with status 3; it is started again in 60 s',
  )
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('bad_echo')
})

test('[G35] a mount with a variable that is not set, or that is no server, fails alone and says so', async () => {
  const servers = { unset: { command: 'node', args: [variable('NONE')] }, odd: { command: 7 }, good: upstream() }
  const { connect, gateway } = await startGateway({ servers })
  await untilMount(gateway, 'good', ({ state }) => state === 'ready')
  expect(await said(await connect(), 'good_echo', { text: 'here' })).toBe('here')
  expect(gateway.states()).toMatchObject([
    { name: 'unset', state: 'failed', problem: 'The variable NONE is not set' },
    { name: 'odd', state: 'failed', problem: '"command" must be text' },
    { name: 'good', state: 'ready' },
  ])
})

test('[G36] a server gets its own environment and not that of the hub', async () => {
  const servers = { demo: upstream({ OWN: variable('GIVEN') }) }
  const { connect, gateway } = await startGateway({ servers, env: { GIVEN: 'yes', PARLEY_TOKENS: 'secret' } })
  await untilMount(gateway, 'demo', ({ state }) => state === 'ready')
  const client = await connect()
  expect(await said(client, 'demo_env', { name: 'OWN' })).toBe('yes')
  expect(await said(client, 'demo_env', { name: 'VITEST' })).toBe('(unset)')
})

test.each(['pause', 'remove'] as const)(
  '[G333] nothing is left of a server that never answers after %s',
  async (end) => {
    const script = `process.stdin.resume(); console.error('pid', process.pid, '.')`
    const { gateway } = await startGateway({ servers: { mute: mountOf(['-e', script]) } })
    const pid = await eventually(() => {
      const [, pid] = /pid (\d+) \./.exec(gateway.logs('mute').join('\n')) ?? []
      expect(pid).toBeDefined()
      return Number(pid)
    })
    expect(() => process.kill(pid, 0)).not.toThrow()
    await gateway[end]('mute')
    if (end === 'pause') await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'))
    else expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  },
)
