import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { program } from '../../support/upstream/upstream.ts'
import { expect, test } from '../support/fixture.ts'
import type { HubProcess } from '../support/hub-process.ts'

const POLICY = { rules: [{ id: 'no-env', tool: 'env', decision: 'deny_continue', note: 'It has keys' }] }

/** An agent at the gateway of a hub with a server called `own`. */
async function agentAt({ url, data, restart, kill }: HubProcess) {
  await kill()
  writeFileSync(join(data, 'policy.jsonc'), JSON.stringify(POLICY))
  const own = { command: process.execPath, args: [program] }
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { own } }))
  await restart()
  const client = new Client({ name: 'claude-code', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp/gateway?session=work', url)))
  return client
}

test.use({ killable: true })

test('[U210] [U213] [U214] a call of a real mounted tool is asked about, allowed and denied as the page says', async ({
  hub,
  visit,
}) => {
  test.slow()
  const client = await agentAt(hub)
  const chat = await visit()
  const logged = client.callTool({ name: 'own_log', arguments: { password: 'hunter2hunter2' } })
  await expect(chat.dock).toContainText('Claude Code wants to use log of own')
  await expect(chat.dock).toContainText('1 secret is masked.')
  await expect(chat.page.locator('body')).not.toContainText('hunter2')
  await chat.canAllow()
  await chat.dock.getByRole('button', { name: /^Allow once/ }).click()
  await logged
  await expect(client.callTool({ name: 'own_env', arguments: { name: 'HOME' } })).rejects.toThrow('not allowed')
  const row = (hasText: string) => chat.timeline.locator('summary', { hasText })
  await expect(row('env')).toContainText('denied by rule no-env')
  await row('log').click()
  await row('env').click()
  const facts = chat.timeline.getByRole('definition')
  await expect(facts.filter({ hasText: 'Allowed by a person' })).toHaveCount(1)
  await expect(facts.filter({ hasText: 'Denied by the rule no-env (line 1): It has keys' })).toHaveCount(1)
  await client.close()
})

test('[U211] what is allowed for everyone is a rule of the policy, and is not asked about again', async ({
  hub,
  visit,
}) => {
  test.slow()
  const client = await agentAt(hub)
  const chat = await visit()
  const first = client.callTool({ name: 'own_touch', arguments: {} })
  await expect(chat.dock).toContainText('Claude Code wants to use touch of own')
  await chat.canAllow()
  await chat.dock.getByRole('button', { name: /Choose for whom/ }).click()
  await chat.page.getByRole('menuitem', { name: 'For everyone' }).click()
  await first
  await expect(chat.timeline).toContainText('Always allowed for everyone by you')
  await client.callTool({ name: 'own_touch', arguments: {} })
  expect(readFileSync(join(hub.data, 'policy.jsonc'), 'utf8')).toMatch(/"server": "own", "tool": "touch"/)
  await client.close()
})
