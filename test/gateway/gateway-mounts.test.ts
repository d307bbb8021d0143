import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { agentOverStdio } from '../support/agent.ts'
import { erasOf } from '../support/eras.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { call, readJson } from '../support/mcp/surfaces.ts'
import { said, startGateway, untilMount, upstream } from '../support/upstream/gateway.ts'
import { TOOLS } from '../support/upstream/upstream.ts'

const TOKENS = 'robot:agent:of-robot-0123456789,root:admin:of-root-0123456789,ada:human:of-ada-0123456789'
const MOUNTS = 'ui://gateway/mounts'

test('[G43] an administrator adds, pauses, resumes and removes mounts while the hub runs, and the file keeps it', async () => {
  const { connect, data, gateway } = await startGateway({ tokens: TOKENS })
  const [root, robot] = await Promise.all([connect('legacy', { token: 'of-root-0123456789' }), asRobot(connect)])
  const file = () => JSON.parse(readFileSync(join(data, 'mcp.json'), 'utf8')).mcpServers
  await call(root, 'mount_add', { name: 'demo', config: { ...upstream(), note: 'kept' } })
  await untilMount(gateway, 'demo', ({ state }) => state === 'ready')
  expect(await said(robot, 'demo_echo', { text: 'here' })).toBe('here')
  expect(file()).toEqual({ demo: { ...upstream(), note: 'kept' } })
  await expect(call(root, 'mount_add', { name: 'demo', config: upstream() })).rejects.toThrow(
    'A mount "demo" already exists',
  )
  expect(await call(root, 'mount_pause', { name: 'demo' })).toMatchObject({ state: 'paused' })
  expect(file()).toMatchObject({ demo: { note: 'kept', disabled: true } })
  await expect(robot.callTool({ name: 'demo_echo' })).rejects.toThrow('Unknown tool "demo_echo"')
  await call(root, 'mount_resume', { name: 'demo' })
  await untilMount(gateway, 'demo', ({ state }) => state === 'ready')
  expect(await said(robot, 'demo_echo', { text: 'again' })).toBe('again')
  expect((await call(root, 'mount_logs', { name: 'demo' })).lines).toContainEqual(
    expect.stringContaining('started as upstream'),
  )
  await call(root, 'mount_remove', { name: 'demo' })
  expect(file()).toEqual({})
  await expect(call(root, 'mount_remove', { name: 'demo' })).rejects.toThrow('Unknown mount "demo"; known: none')
})

test('[G44] nobody but an administrator sees or uses the tools for mounts, and people call no tools', async () => {
  const { connect } = await startGateway({ servers: { demo: upstream() }, tokens: TOKENS })
  const robot = await asRobot(connect)
  expect((await robot.listTools()).tools.filter(({ name }) => name.startsWith('mount_'))).toEqual([])
  for (const name of ['mount_list', 'mount_add', 'mount_remove', 'mount_pause', 'mount_resume', 'mount_logs'])
    expect(await said(robot, name, { name: 'demo', config: upstream() })).toContain(
      'This is for admin, and robot is agent',
    )
  const ada = await connect('modern', { token: 'of-ada-0123456789' })
  expect(await said(ada, 'demo_echo', { text: 'me too' })).toBe(
    'This is for agent or orchestrator or admin, and ada is human',
  )
  const completing = ada.complete({
    ref: { type: 'ref/prompt', name: 'demo_greet' },
    argument: { name: 'who', value: '' },
  })
  await expect(completing).rejects.toMatchObject({
    code: -32003,
    message: 'This is for agent or orchestrator or admin, and ada is human',
  })
})

test('[G45] the state of mounts is a resource that tells when it changes', async () => {
  const { connect, gateway } = await startGateway({ servers: { demo: upstream() }, patience: { backOffMs: 60_000 } })
  const client = await connect('modern')
  await client.listTools()
  const { mounts } = (await readJson(client, MOUNTS)).body as unknown as { mounts: { fingerprints: object[] }[] }
  expect(mounts).toMatchObject([{ name: 'demo', transport: 'stdio', state: 'ready', tools: TOOLS.length }])
  expect(mounts[0]?.fingerprints).toContainEqual({
    name: 'wrong.name',
    shown: expect.stringMatching(/^demo_wrong_name_[0-9a-f]{12}$/),
    fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  const updated = Promise.withResolvers<string>()
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => updated.resolve(params.uri))
  await client.listen({ resourceSubscriptions: [`${MOUNTS}/demo`] })
  await said(client, 'demo_die')
  expect(await updated.promise).toBe(`${MOUNTS}/demo`)
  await untilMount(gateway, 'demo', ({ state }) => state === 'failed')
  expect((await readJson(client, `${MOUNTS}/demo`)).body).toMatchObject({ state: 'failed' })
})

test.each(erasOf('modern'))('[G46] over stdio --surface gateway all of it is there (%s)', async (era) => {
  const data = await temporaryFolder()
  const { gateway } = await startHubWithSocket(data)
  const args = ['stdio', '--surface', 'gateway', '--data', data]
  const { client } = await agentOverStdio({ era, args, env: {} })
  const changed = Promise.withResolvers<void>()
  client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve())
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    'chat_assistant_post',
    'chat_assistant_event',
    'yield_turn',
  ])
  if (era === 'modern') await client.listen({ toolsListChanged: true })
  gateway.add('demo', upstream({ UPSTREAM_ERA: era }))
  await Promise.all([changed.promise, untilMount(gateway, 'demo', ({ state }) => state === 'ready')])
  expect(await said(client, 'demo_echo', { text: 'over the line' })).toBe('over the line')
  for (const name of ['chat_assistant_post', 'ui_chat_assistant_post', 'ui.chat_assistant_post'])
    expect(await call(client, name, { mime: 'text/plain', content: 'Hello' })).toHaveProperty('id')
  await call(client, 'loop_yield_turn', {})
})

function asRobot(connect: (era: 'modern', more: { token: string }) => Promise<Client>): Promise<Client> {
  return connect('modern', { token: 'of-robot-0123456789' })
}
