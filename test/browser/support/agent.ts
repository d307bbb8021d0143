import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** Longer than any test: it is the person who decides when a question ends. */
export const PATIENCE_MS = 120_000

export type Agent = Awaited<ReturnType<typeof connectAgent>>

interface Result {
  reply: string
  status?: string
  message?: string
  earlier_messages?: { text: string }[]
}

/** A real agent: an MCP client whose call waits until a person has answered. */
export async function connectAgent(url: string, session: string, token?: string) {
  const client = new Client({ name: 'test-agent', version: '1' })
  const address = new URL('/mcp', url)
  address.searchParams.set('session', session)
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit }))
  return { ask, call, put, close: () => client.close() }

  async function ask(text: string, quick_replies?: string[]): Promise<string> {
    return (await call(text, quick_replies)).reply
  }

  /** Asks and, once `seen`, goes on without waiting for the reply. */
  async function put(text: string, seen: () => Promise<unknown>) {
    const wait = new AbortController()
    const asked = call(text, undefined, wait.signal).catch(() => {})
    await seen()
    wait.abort()
    await asked
  }

  async function call(text: string, quick_replies?: string[], signal?: AbortSignal): Promise<Result> {
    const result = await client.callTool(
      { name: 'send_message', arguments: { text, quick_replies } },
      { timeout: PATIENCE_MS, signal },
    )
    return result.structuredContent as unknown as Result
  }
}
