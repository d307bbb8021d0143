import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { PATIENCE_MS } from './agent.ts'
import type { HubProcess } from './hub-process.ts'

/** An agent that asks for permission, and answers with the arguments that it got. */
export async function approver(hub: HubProcess, session: string) {
  const client = new Client({ name: 'claude', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`/mcp/agent?session=${session}`, hub.url)))
  hub.closeFirst(() => client.close())
  return (tool_name: string, input: object) => {
    const given = ask(tool_name, input)
    // It may still be open when its test ends.
    given.catch(() => {})
    return given
  }

  async function ask(tool_name: string, input: object) {
    const result = await client.callTool({ name: 'approve', arguments: { tool_name, input } }, { timeout: PATIENCE_MS })
    return JSON.parse((result.content as { text: string }[])[0]?.text ?? '').updatedInput
  }
}
