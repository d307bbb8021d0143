import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { helloOf, link } from '../support/lines/raw-link.ts'

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'codex', version: '1' },
}
const ASK = { name: 'ask_user', arguments: { questions: [{ question: 'Which one?' }] } }

test('[S176] what a line calls itself is in no entry, export or file', async () => {
  const data = await temporaryFolder()
  const hub = await startHubWithSocket(data)
  const line = 'a-name-that-nobody-else-knows'
  const { until, say } = await link(data, helloOf({ line, conversation: 'work' }))
  await until((frame) => 'welcome' in frame)
  say({ mcp: { jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE }, key: 'a' })
  await until(({ mcp }) => mcp)
  say({ mcp: { jsonrpc: '2.0', id: 2, method: 'tools/call', params: ASK }, key: 'b' })
  expect(await exportWith(hub.url, 'Which one?')).not.toContain(line)
  const files = readdirSync(data).filter((name) => /^parley\.db|jsonl?$/.test(name))
  for (const name of files) expect(readFileSync(join(data, name)).includes(line)).toBe(false)
})

test('[S176] nor is the id of an MCP session', async () => {
  const hub = await startHubWithSocket(await temporaryFolder())
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const post = (message: object, more = {}) =>
    fetch(`${hub.url}/mcp/agent?session=work`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  const begun = await post({ id: 1, method: 'initialize', params: INITIALIZE })
  const session = begun.headers.get('mcp-session-id') ?? expect.unreachable()
  await post({ method: 'notifications/initialized' }, { 'mcp-session-id': session })
  void post({ id: 2, method: 'tools/call', params: ASK }, { 'mcp-session-id': session }).catch(() => {})
  expect(await exportWith(hub.url, 'Which one?')).not.toContain(session)
})

function exportWith(url: string, text: string): Promise<string> {
  return eventually(async () => {
    const exported = await (await fetch(`${url}/api/export/work?format=json`)).text()
    expect(exported).toContain(text)
    return exported
  })
}
