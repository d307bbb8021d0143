import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { startParley } from '../support/process.ts'
import { untilMount, upstream } from '../support/upstream/gateway.ts'

test('[G330] a mount that cannot be written down is refused with the reason, and not mounted with the next', async () => {
  const data = await temporaryFolder()
  const { gateway } = await startHub(data)
  mkdirSync(join(data, 'mcp.json.new'))
  const refusal = { code: 'data_unwritable', message: expect.stringContaining('mcp.json cannot be written (EISDIR') }
  expect(() => gateway.add('refused', upstream())).toThrow(expect.objectContaining(refusal))
  rmdirSync(join(data, 'mcp.json.new'))
  gateway.add('next', upstream())
  expect(gateway.states().map(({ name }) => name)).toEqual(['next'])
})

test('[G330] without a hub the command says the same in one sentence', async () => {
  const data = await temporaryFolder()
  mkdirSync(join(data, 'mcp.json.new'))
  const { code, stderr } = await startParley(['mount', 'add', 'refused', '--data', data, '--', 'cat']).ended
  expect(stderr).toMatch(/^[^\n]*mcp\.json cannot be written \(EISDIR[^\n]*\n$/)
  expect(code).toBe(1)
})

test('[G331] a hub starts beside files of mounts and sign-ins that cannot be read, says so, and reads them once it can', async () => {
  const data = await temporaryFolder()
  for (const file of ['mcp.json', 'sign-ins.json']) mkdirSync(join(data, file))
  const { gateway } = await startHub(data)
  expect(gateway.problem()).toContain('mcp.json is not a list of MCP servers (EISDIR')
  expect(() => gateway.add('other', upstream())).toThrow('mcp.json is not a list of MCP servers (EISDIR')
  rmdirSync(join(data, 'mcp.json'))
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { demo: upstream() } }))
  await untilMount(gateway, 'demo', ({ state }) => state === 'ready')
  expect(gateway.problem()).toBeUndefined()
  expect(readdirSync(join(data, 'sign-ins.json'))).toEqual([])
})
