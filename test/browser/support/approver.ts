import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** An agent that asks for permission, and answers with the arguments that it got. */
export async function approver(url: string, session: string) {
  const client = new Client({ name: 'claude', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`/mcp/agent?session=${session}`, url)))
  return async (tool_name: string, input: object) => {
    const result = await client.callTool({ name: 'approve', arguments: { tool_name, input } })
    return JSON.parse((result.content as { text: string }[])[0]?.text ?? '').updatedInput
  }
}
