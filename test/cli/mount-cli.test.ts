import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockFolder } from '../../src/hub/startup-lock.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { startParley } from '../support/process.ts'
import { connectTo, said, untilMount } from '../support/upstream/gateway.ts'
import { program, TOOLS } from '../support/upstream/upstream.ts'

const SERVER = ['--', process.execPath, program]

test('[G47] mount adds, lists, pauses, resumes and removes servers of the hub that runs, and prints their logs', async () => {
  const data = await temporaryFolder()
  writeFileSync(join(data, 'policy.jsonc'), '{"rules": [{"decision": "allow"}]}')
  const { url, gateway } = await startHubWithSocket(data)
  const run = (act: string, ...more: string[]) => startParley(['mount', act, '--data', data, ...more]).ended
  expect(await run('list')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('Nothing is mounted'),
  })
  expect(await run('add', 'demo', '--env', 'OWN=a b', ...SERVER)).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^demo is mounted(, and starting| and has \d+ tools)\n$/),
    stderr: '',
  })
  await untilMount(gateway, 'demo', ({ state }) => state === 'ready')
  const client = await connectTo(url)
  expect(await said(client, 'demo_env', { name: 'OWN' })).toBe('a b')
  expect((await run('list')).stdout).toMatch(new RegExp(`^name .*\\ndemo +stdio +ready +${TOOLS.length}\\n$`))
  expect((await run('logs', 'demo')).stdout).toMatch(/started as upstream\n/)
  expect((await run('pause', 'demo')).stdout).toBe('demo is paused\n')
  await expect(client.callTool({ name: 'demo_env' })).rejects.toThrow('Unknown tool')
  expect((await run('resume', 'demo')).stdout).toMatch(/^demo is resumed/)
  expect(await run('add', 'demo', ...SERVER)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('A mount "demo" already exists; remove it first'),
  })
  expect((await run('remove', 'demo')).stdout).toBe('demo is no longer mounted\n')
  expect(await run('logs', 'demo')).toMatchObject({ code: 1, stderr: expect.stringContaining('Unknown mount "demo"') })
})

test('[G48] mount does the same in a folder that no hub uses, and refuses what is no server', async () => {
  const data = join(await temporaryFolder(), 'new')
  const run = (act: string, ...more: string[]) => startParley(['mount', act, '--data', data, ...more]).ended
  const file = () => JSON.parse(readFileSync(join(data, 'mcp.json'), 'utf8')).mcpServers
  await run('add', 'far', '--url', 'https://far.example/mcp', '--header', 'x-key: secret')
  expect(file()).toEqual({ far: { type: 'http', url: 'https://far.example/mcp', headers: { 'x-key': 'secret' } } })
  await run('pause', 'far')
  expect(file().far.disabled).toBe(true)
  await run('resume', 'far')
  expect((await run('list')).stdout).toContain('no hub runs')
  for (const wrong of [['far'], ['far', '--url', 'x', ...SERVER], ['far', '--env', 'none', ...SERVER]])
    expect(await run('add', ...wrong)).toMatchObject({ code: 2, stdout: '' })
  expect(await run('remove', 'near')).toMatchObject({ code: 1, stderr: 'Unknown mount "near"; known: far\n' })
  await run('remove', 'far')
  expect(await run('add', 'constructor', ...SERVER)).toMatchObject({ code: 0 })
  await run('remove', 'constructor')
  expect(file()).toEqual({})
})

test('[C180] mounts that are added at once where no hub runs are all there', async () => {
  const data = await temporaryFolder()
  const names = ['a', 'b', 'c', 'd']
  const added = names.map((name) => startParley(['mount', 'add', name, '--data', data, ...SERVER]).ended)
  for (const { code, stderr } of await Promise.all(added)) expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { mcpServers } = JSON.parse(readFileSync(join(data, 'mcp.json'), 'utf8'))
  expect(Object.keys(mcpServers).sort()).toEqual(names)
})

test('[C180] a mount is not written in a folder that another Parley has, and answers nobody', async () => {
  const data = await temporaryFolder()
  onTestFinished(lockFolder(data))
  expect(await startParley(['mount', 'add', 'a', '--data', data, ...SERVER]).ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is in use by another Parley'),
  })
  expect(existsSync(join(data, 'mcp.json'))).toBe(false)
})
