import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Gateway } from '../../src/governance/gateway/gateway.ts'
import { MOUNTS } from '../../src/governance/gateway/serve-gateway.ts'
import { openTestHub, startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { readJson } from '../support/mcp/surfaces.ts'
import { startParley } from '../support/process.ts'
import { connectTo, said, startGateway, untilMount, upstream } from '../support/upstream/gateway.ts'

test('[G51] what is changed in mcp.json by hand is done, and other servers are not touched', async () => {
  const lives = join(await temporaryFolder(), 'lives')
  const kept = upstream({ UPSTREAM_LIVES: lives })
  const { connect, gateway, data } = await startGateway({
    servers: { kept, gone: upstream(), other: upstream({ WHICH: 'old' }), slept: upstream() },
  })
  const client = await connect()
  expect(await said(client, 'other_env', { name: 'WHICH' })).toBe('old')
  const path = join(data, 'mcp.json')
  const servers = {
    kept,
    other: upstream({ WHICH: 'new' }),
    slept: { ...upstream(), disabled: true },
    added: upstream(),
  }
  writeFileSync(path, JSON.stringify({ mcpServers: servers }))
  await untilMount(gateway, 'added', ({ state }) => state === 'ready')
  await untilMount(gateway, 'other', ({ state }) => state === 'ready')
  expect(gateway.states()).toMatchObject([
    { name: 'kept', state: 'ready' },
    { name: 'other', state: 'ready' },
    { name: 'slept', state: 'paused' },
    { name: 'added', state: 'ready' },
  ])
  expect(await said(client, 'other_env', { name: 'WHICH' })).toBe('new')
  await expect(client.callTool({ name: 'gone_echo' })).rejects.toThrow('Unknown tool "gone_echo"')
  // As editors do that write a new file in the place of the old one.
  writeFileSync(`${path}~`, JSON.stringify({ mcpServers: { ...servers, slept: upstream() } }))
  renameSync(`${path}~`, path)
  await untilMount(gateway, 'slept', ({ state }) => state === 'ready')
  expect(readFileSync(lives, 'utf8').trim().split('\n')).toHaveLength(1)
})

test('[G51] a file that is a link is followed, and stays one when the hub changes it', async () => {
  const { gateway, data } = await startGateway()
  const real = join(await temporaryFolder(), 'real.json')
  const path = join(data, 'mcp.json')
  writeFileSync(real, JSON.stringify({ mcpServers: {} }))
  rmSync(path)
  symlinkSync(real, path)
  gateway.add('demo', upstream())
  expect(JSON.parse(readFileSync(real, 'utf8')).mcpServers).toHaveProperty('demo')
  await untilMount(gateway, 'demo', ({ state }) => state === 'ready')
  await untilProblem(gateway, (problem) => problem === undefined)
  writeFileSync(real, JSON.stringify({ mcpServers: { demo: upstream(), more: upstream() } }))
  await untilMount(gateway, 'more', ({ state }) => state === 'ready')
})

test('[G52] a broken file changes nothing and is complained about until it is right again', async () => {
  const data = await temporaryFolder()
  const path = join(data, 'mcp.json')
  const good = JSON.stringify({ mcpServers: { demo: upstream() } })
  writeFileSync(path, good)
  const { gateway, url } = await startHubWithSocket(data)
  const client = await connectTo(url)
  await client.listTools()
  const list = async () => startParley(['mount', 'list', '--data', data]).ended
  for (const [broken, why] of [
    ['{ "mcpServers": {', 'it is not a JSON object'],
    ['{ "mcpServers": [] }', '"mcpServers" is not an object'],
  ] as const) {
    writeFileSync(path, broken)
    await untilProblem(gateway, (problem) => problem?.includes(why) ?? false)
    expect(await said(client, 'demo_echo', { text: 'still here' })).toBe('still here')
    expect(() => gateway.pause('demo')).toThrow(`${path} is not a list of MCP servers (${why}); it was left as it is`)
  }
  expect(await list()).toMatchObject({
    stdout: expect.stringContaining('ready'),
    stderr: expect.stringContaining(path),
  })
  expect((await readJson(client, MOUNTS)).body).toMatchObject({ problem: expect.stringContaining(path) })
  rmSync(path)
  await untilProblem(gateway, (problem) => problem?.includes('gone') ?? false)
  expect(gateway.problem()).toBe(`${path} is gone; what stood in it stays mounted`)
  writeFileSync(path, good)
  await untilProblem(gateway, (problem) => problem === undefined)
  expect(await list()).toMatchObject({ stderr: '' })
  expect(await said(client, 'demo_echo', { text: 'still here' })).toBe('still here')
})

test('[G52] the log of the hub says it, too', async () => {
  const data = await temporaryFolder()
  const path = join(data, 'mcp.json')
  writeFileSync(path, '[]')
  const told: string[] = []
  const out = { writableLength: 0, write: (lines: string) => void told.push(...lines.trimEnd().split('\n')) }
  const log = { level: 'error', content: false, out } as const
  const hub = await openTestHub({ host: '127.0.0.1', port: 0, data, log })
  onTestFinished(hub.close)
  await untilProblem(hub.gateway, (problem) => problem !== undefined)
  // Its log is written in pieces, and all of it when the hub closes.
  await hub.close()
  const why = `${path} is not a list of MCP servers (it is not a JSON object); it was left as it is`
  expect(told.map((line) => JSON.parse(line).error)).toEqual([`Mounts stay as they were: ${why}`])
})

function untilProblem(gateway: Gateway, is: (problem: string | undefined) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const following = gateway.onChange(look)
    look()

    function look() {
      if (!is(gateway.problem())) return
      following.close()
      resolve()
    }
  })
}
