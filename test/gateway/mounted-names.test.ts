import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { acpDriver } from '../../src/agents/acp/driver.ts'
import { policyPath } from '../../src/governance/policy/file/policy-file.ts'
import { gatewayNames } from '../../src/protocol/tools/called-tool.ts'
import { startDriven } from '../support/driven/driven.ts'
import { SCRIPTED } from '../support/driven/driven-agent.ts'
import { followed, startGoverned } from '../support/policy/governed.ts'
import { askingAgent, folderWithPolicy } from '../support/policy/policy.ts'
import { diaryAt, readDiary } from '../support/upstream/diary-server.ts'
import { startGateway } from '../support/upstream/gateway.ts'

const DENY = { server: 'diary', tool: 'write', decision: 'deny_continue', reason: 'Nobody writes here' }
const WRITE = { server: 'diary', tool: 'write' }

async function startAsking(...rules: object[]) {
  const hub = await startGoverned({ policy: { rules } })
  // Its server is there once its tools are listed.
  await (await hub.connect()).listTools()
  const { approve } = await askingAgent(hub.url)
  return { ...hub, approve, log: followed(hub.person) }
}

test('[G175] what an agent calls mcp__gateway__SERVER_TOOL is that tool for the rules, and for what is kept of it', async () => {
  const { approve, log } = await startAsking(DENY)
  for (const name of ['mcp__gateway__diary_write', 'mcp__parley__diary_write', 'gateway_diary_write'])
    expect(await approve(name, { text: 'x' })).toEqual({ behavior: 'deny', message: 'Nobody writes here' })
  const { body } = await log.until('refused_call', 3)
  expect(body.approval).toMatchObject({ ...WRITE, tool_name: 'gateway_diary_write' })
  // By default what only reads is allowed, as at the gateway itself.
  expect(await approve('mcp__gateway__diary_read', {})).toMatchObject({ behavior: 'allow' })
  expect(log.entries.filter(({ body }) => body.kind === 'question')).toEqual([])
})

test("[G175] a tool of the same name at a server of the agent's own is another one", async () => {
  const { approve, log } = await startAsking({ ...DENY, decision: 'allow' })
  approve('mcp__evil__diary_write', { text: 'x' }).catch(() => {})
  const { body } = await log.until('question')
  expect(body.approval).not.toHaveProperty('server')
})

test('[G175] one card shows server and tool, and what is always allowed by it holds at the gateway too', async () => {
  const { approve, log, person, connect, written, data } = await startAsking()
  const first = approve('mcp__gateway__diary_write', { text: 'one' })
  const { id, body } = await log.until('question')
  expect(body.approval).toMatchObject({ ...WRITE, fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/) })
  await person.allowByRule(id, undefined, 'everyone')
  expect(await first).toMatchObject({ behavior: 'allow' })
  const client = await connect()
  await client.callTool({ name: 'diary_write', arguments: { text: 'one' } })
  expect(written()).toHaveLength(1)
  expect(readFileSync(policyPath(data), 'utf8')).toContain(
    '"server": "diary", "tool": "write", "command": false, "decision": "allow"',
  )
})

test('[G175] a server that is not there yet is known by its name', async () => {
  const servers = { diary: { command: 'sleep', args: ['600'] } }
  const { url, view } = await startGateway({ servers, policy: { rules: [DENY] } })
  const { approve } = await askingAgent(url)
  const log = followed(view)
  expect(await approve('mcp__gateway__diary_write', {})).toMatchObject({ behavior: 'deny' })
  expect((await log.until('refused_call')).body.approval).toMatchObject(WRITE)
})

/** An ACP agent that is driven and asks for a tool as if the gateway were a server of its own settings. */
async function drivenAsking(rule: object) {
  const folder = await folderWithPolicy([rule])
  const diary = join(folder, 'diary')
  const servers = { diary: diaryAt(diary) }
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: servers }))
  const { view, watch } = await startDriven({ driver: acpDriver({ command: SCRIPTED }) }, folder)
  await view.say('work', { text: 'do pose near' })
  return { view, watch, written: () => readDiary(diary) }
}

test('[G176] a permission that a driven agent asks for is mapped, too', async () => {
  const { watch } = await drivenAsking(DENY)
  const [refused] = await watch.until('refused_call')
  expect(refused).toMatchObject({ driven: true, approval: { ...WRITE, tool_name: 'mcp__parley__diary_write' } })
})

test('[G176] and allowed by a person it is the agent that goes on: the gateway carries out nothing of it', async () => {
  const { view, watch, written } = await drivenAsking({ ...DENY, decision: 'ask' })
  const [question] = await watch.until('question')
  expect(question?.approval).toMatchObject({ ...WRITE, call_id: expect.any(String), reason: 'Nobody writes here' })
  const { id = '' } = watch.seen.find(({ body }) => body.kind === 'question') ?? {}
  await view.takeOption(id, 'yes-1')
  await watch.until('turn')
  expect(watch.bodies('message').map(({ text }) => text)).toContain('taken: true')
  expect([written(), watch.bodies('tool_result').filter(({ server }) => server !== undefined)]).toEqual([[], []])
})

test('[G175] names are read as agents make them', () => {
  expect(gatewayNames('mcp__gateway__files_read')).toEqual(['files_read'])
  expect(gatewayNames('mcp_gateway_files_read')).toEqual(['files_read'])
  expect(gatewayNames('parley-gateway__files_read')).toContain('files_read')
  for (const name of ['Bash', 'files_read', 'mcp__other__gateway__files_read']) expect(gatewayNames(name)).toEqual([])
})

test('[G293] also in capitals, and behind any sign that stands between a server and its tool', () => {
  for (const name of ['mcp__Gateway__', 'gateway-', '@gateway/', 'gateway.', 'Parley:'])
    expect(gatewayNames(`${name}files_Read`)).toContain('files_Read')
})
