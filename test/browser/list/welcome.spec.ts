import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Body } from '../../../src/protocol/entries/entry.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const BIN = fileURLToPath(new URL('../../../bin/parley.js', import.meta.url))
const LOOKS = [
  { width: 1440, height: 900 },
  { width: 820, height: 1100, dark: true },
  { width: 390, height: 844, touch: true },
]
const DOORS = ['Connect an agent', 'Start one from here', 'Look around in the demo']
const ASKS: Body = { kind: 'question', by: 'demo-agent', text: 'Shall I show you something?' }

function doorOf({ page }: Chat, name: string) {
  return page.getByRole('main').getByRole('region', { name })
}

for (const look of LOOKS) {
  test(`[U451] a page with nothing to show has three doors (${look.width} px)`, async ({ visit }) => {
    const chat = await visit('/', look)
    for (const name of DOORS) await expect(doorOf(chat, name)).toBeVisible()
    await expect(doorOf(chat, 'Connect an agent').locator('pre')).toContainText(BIN)
    expect(await violations(chat.page)).toEqual([])
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    const begin = doorOf(chat, 'Start one from here').getByRole('button', { name: 'New conversation' })
    if (look.touch) expect((await begin.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await begin.click()
    await expect(chat.page.getByRole('dialog', { name: 'New conversation' })).toBeVisible()
  })
}

test('[U452] what connects agents is copied with its whole path, and an agent that comes is named at once', async ({
  hub,
  visit,
}) => {
  const chat = await visit()
  const door = doorOf(chat, 'Connect an agent')
  await expect(door).toContainText('Waiting for an agent…')
  await expect(door.locator('pre')).toHaveText(`node ${BIN} connect --surface agent --data ${hub.data}`)
  // As what was connected starts it.
  const agent = new Client({ name: 'claude-code', version: '1' })
  const args = [BIN, 'stdio', '--surface', 'agent', '--data', hub.data]
  await agent.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }))
  hub.closeFirst(() => agent.close())
  await agent.listTools()
  await expect(door).toContainText('Claude Code has connected.')
  const other = new Client({ name: 'codex-mcp-client', version: '1' })
  await other.connect(new StreamableHTTPClientTransport(new URL('/mcp/agent', hub.url)))
  hub.closeFirst(() => other.close())
  await other.listTools()
  await expect(door).toContainText('Claude Code and Codex have connected.')
  const asked = agent.callTool({ name: 'send_message', arguments: { text: 'What shall I do?' } })
  await expect(chat.bubble('What shall I do?')).toBeVisible()
  await chat.reply('Rest')
  expect(JSON.stringify(await asked)).toContain('Rest')
})

test('[U453] where only the demo has spoken the doors are there, and lead to it and back', async ({ hub, visit }) => {
  await hub.record('demo', [ASKS])
  const chat = await visit()
  const door = doorOf(chat, 'Look around in the demo')
  // Nobody is behind what it said once.
  await expect(door.locator('pre')).toHaveText(`node ${BIN} demo --data ${hub.data}`)
  const demo = spawn(process.execPath, [BIN, 'demo', '--data', hub.data], { stdio: 'ignore' })
  hub.closeFirst(() => ended(demo))
  await door.getByRole('button', { name: 'Open the demo' }).click()
  await expect(chat.bubble('I am a demo agent')).toBeVisible()
  await chat.page.goBack()
  await expect(door).toBeVisible()
  await expect(doorOf(chat, 'Connect an agent')).toContainText('Waiting for an agent…')
  await hub.say('work', ['Hello'])
  await expect(chat.bubble('Hello')).toBeVisible()
  await expect(door).toBeHidden()
})

async function ended(demo: ChildProcess) {
  const gone = once(demo, 'exit')
  demo.kill()
  await gone
}
