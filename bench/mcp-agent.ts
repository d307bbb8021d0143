import { Client, SdkError, SdkErrorCode, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { httpOf } from './process.ts'

export type McpAgent = Awaited<ReturnType<typeof connectAgent>>

/** An agent that calls `send_message` over HTTP, in a conversation of its own. */
export async function connectAgent(url: string, session: string) {
  const client = new Client({ name: 'bench', version: '0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${httpOf(url)}/mcp?session=${session}`)))
  return { ask, loseCall, close: () => client.close() }

  async function ask(text: string): Promise<void> {
    const result = await client.callTool({ name: 'send_message', arguments: { text } })
    if (result.isError) throw new Error(JSON.stringify(result.content))
  }

  /** A call that is to be cut off by closing. */
  async function loseCall(text: string): Promise<void> {
    try {
      await ask(text)
    } catch (error) {
      if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) return
      throw error
    }
    throw new Error('The call that was to be lost was answered')
  }
}
