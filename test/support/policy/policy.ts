import { readFileSync, writeFileSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished } from 'vitest'
import type { View } from '../../../src/chat/view.ts'
import { policyPath } from '../../../src/governance/policy/file/policy-file.ts'
import { eventually } from '../eventually.ts'
import { startHub, temporaryFolder } from '../hub.ts'

/** A folder with these rules as its policy. */
export async function folderWithPolicy(rules: object[]): Promise<string> {
  const data = await temporaryFolder()
  writeFileSync(policyPath(data), JSON.stringify({ rules }, null, 2))
  return data
}

/** A real hub with these rules, and what stands in its policy file. */
export async function hubWithPolicy(...rules: object[]) {
  const data = await folderWithPolicy(rules)
  const hub = await startHub(data)
  return { ...hub, data, path: policyPath(data), text: () => readFileSync(policyPath(data), 'utf8') }
}

/** An agent that asks before it uses its tools, in a conversation. */
export async function askingAgent(url: string, { token = '', session = 'work' } = {}) {
  const client = new Client({ name: 'test-agent', version: '1' })
  const requestInit = token ? { headers: { authorization: `Bearer ${token}` } } : {}
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp/agent?session=${session}`), { requestInit }),
  )
  onTestFinished(() => client.close())
  return { client, approve }

  /** The one text that `approve` answers with. */
  async function approve(tool_name: string, input: object = {}, tool_use_id?: string) {
    const { content } = await client.callTool({ name: 'approve', arguments: { tool_name, input, tool_use_id } })
    expect(content).toHaveLength(1)
    return JSON.parse((content as { text: string }[])[0]?.text ?? '')
  }
}

/** The open questions of a conversation, once there are so many. */
export async function opened(view: View, many = 1, conversation = 'work') {
  return eventually(async () => {
    const { open } = await view.conversation(conversation)
    expect(open).toHaveLength(many)
    return open
  })
}

export async function bodiesIn(view: View, conversation = 'work') {
  return (await view.page(conversation, { limit: 100 })).entries.map(({ body }) => body)
}
