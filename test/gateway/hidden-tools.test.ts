import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { acpDriver } from '../../src/agents/acp/driver.ts'
import { startDriven } from '../support/driven/driven.ts'
import { SCRIPTED } from '../support/driven/driven-agent.ts'
import { acpAgent, startDrivenGateway, writingModel } from '../support/driven/driven-gateway.ts'
import { told } from '../support/page.ts'
import { followed, startGoverned } from '../support/policy/governed.ts'
import { askingAgent, folderWithPolicy } from '../support/policy/policy.ts'
import { diaryAt } from '../support/upstream/diary-server.ts'

const NOTHING = [{ servers: {} }]
const WRITE = { server: 'diary', tool: 'write' }

test('[G232] a tool that its agent does not see is none for approve, by whichever name, and makes no card', async () => {
  const { gateway, connect, url, person } = await startGoverned({ policy: { rules: [{ decision: 'allow' }] } })
  await (await connect()).listTools()
  const { approve } = await askingAgent(url)
  const log = followed(person)
  expect(await approve('mcp__gateway__diary_write', {})).toMatchObject({ behavior: 'allow' })
  gateway.setViews([{ servers: { diary: ['read'] } }])
  for (const name of ['mcp__gateway__diary_write', 'mcp__parley__diary_write', 'gateway_diary_write'])
    expect(await approve(name, {})).toEqual({ behavior: 'deny', message: `Unknown tool "${name}"` })
  expect((await log.until('refused_call', 3)).body.approval).toMatchObject(WRITE)
  expect(await approve('mcp__gateway__diary_read', {})).toMatchObject({ behavior: 'allow' })
  expect(log.entries.filter(({ body }) => body.kind === 'question')).toEqual([])
})

test('[G232] so it is for a permission that a driven agent asks for', async () => {
  const folder = await folderWithPolicy([{ decision: 'allow' }])
  const servers = { diary: diaryAt(join(folder, 'diary')) }
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: servers, views: NOTHING }))
  const { view, watch } = await startDriven({ driver: acpDriver({ command: SCRIPTED }) }, folder)
  await view.say('work', { text: 'do pose near' })
  const [refused] = await watch.until('refused_call')
  expect(refused).toMatchObject({ driven: true, approval: WRITE })
  expect(refused?.decided).toMatchObject({ reason: 'Unknown tool "mcp__parley__diary_write"' })
})

test('[G232] an ACP agent that is driven cannot call one', async () => {
  const { page, written } = await startDrivenGateway(acpAgent, { views: NOTHING })
  await page.post('work', 'do call diary_write one')
  await page.until(() => told(page, 'turn').length === 1)
  expect([written(), told(page, 'question'), told(page, 'tool_call').filter(({ server }) => server)]).toEqual([
    [],
    [],
    [],
  ])
})

test('[G232] nor can a model', async () => {
  const { agent } = await writingModel()
  const { page, written } = await startDrivenGateway(agent, { views: NOTHING })
  await page.post('work', 'write one')
  await page.until(() => told(page, 'turn').length === 1)
  expect([written(), told(page, 'question')]).toEqual([[], []])
})
