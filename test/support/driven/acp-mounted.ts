import type { RequestPermissionResponse } from '@agentclientprotocol/sdk'
import type { Client } from '@modelcontextprotocol/client'
import type { Deed, Stage } from './acp-deeds.ts'

type Pairs = Record<'name' | 'value', string>[]
type Server = { name: string } & (
  | { type?: undefined; command: string; args: string[]; env: Pairs }
  | { type: 'http'; url: string; headers: Pairs }
)

const OPTIONS = [
  { optionId: 'yes-1', name: 'Yes', kind: 'allow_once' as const },
  { optionId: 'no-1', name: 'No', kind: 'reject_once' as const },
]

/** Deeds with the MCP server that the agent was given. */
export const MOUNTED: Record<string, Deed> = {
  /** Calls a tool with a text, as an agent does that names its tools as Claude Code does: it asks first. */
  async call(stage, rest) {
    const [tool = '', text = ''] = rest.split(' ')
    const [server] = stage.mcpServers as Server[]
    if (!server) return
    const name = `mcp__${server.name}__${tool}`
    const toolCall = { toolCallId: `call-${text}`, title: name, name, rawInput: { text } }
    await stage.tell({ sessionUpdate: 'tool_call', ...toolCall, status: 'pending' })
    if (!(await isAllowed(stage, toolCall))) return
    const said = await called(server, tool, { text })
    await stage.tell({ sessionUpdate: 'tool_call_update', toolCallId: toolCall.toolCallId, status: 'completed' })
    await stage.say(`called: ${said}`)
  },

  async tools(stage) {
    const [server] = stage.mcpServers as Server[]
    if (server) await stage.say(`${server.name}: ${await using(server, namesOf)}`)
  },

  /** Asks whether it may make this call, given as JSON in which HUB is the server's name; its options are of the agent that it is. */
  async asks({ client, session: sessionId, say, mcpServers }, rest) {
    const [{ name = '' } = {}] = mcpServers as Server[]
    const { options = [], ...toolCall } = JSON.parse(rest.replaceAll('HUB', name))
    const all = [...OPTIONS, ...options.map((optionId: string) => ({ optionId, name: optionId, kind: 'allow_always' }))]
    const asked = { sessionId, toolCall: { toolCallId: 'call-1', ...toolCall }, options: all }
    const { outcome } = await client.request<RequestPermissionResponse>('session/request_permission', asked)
    await say(`taken: ${JSON.stringify(outcome)}`)
  },

  /** Asks for something of its own in the words of a call of the server: in its title, or under a name that is near. */
  async pose(stage, rest) {
    const [server] = stage.mcpServers as Server[]
    const ours = `mcp__${server?.name}__diary_write`
    const posing: Record<string, object> = {
      title: { title: ours, name: 'Bash', kind: 'execute' },
      unnamed: { title: ours, kind: 'other' },
      near: { title: ours, name: 'mcp__parley__diary_write' },
    }
    const toolCall = { toolCallId: `call-${rest}`, rawInput: { command: 'rm -rf /' }, ...posing[rest] }
    await stage.say(`taken: ${await isAllowed(stage, toolCall)}`)
  },
}

async function isAllowed({ client, session }: Stage, toolCall: { toolCallId: string }): Promise<boolean> {
  const asked = { sessionId: session, toolCall, options: OPTIONS }
  const { outcome } = await client.request<RequestPermissionResponse>('session/request_permission', asked)
  return outcome.outcome === 'selected' && outcome.optionId === 'yes-1'
}

function called(server: Server, name: string, input: Record<string, unknown>): Promise<string> {
  return using(server, async (client) => {
    const { content } = await client.callTool({ name, arguments: input }, { timeout: 600_000 })
    return (content as { text: string }[]).map(({ text }) => text).join('\n')
  })
}

async function namesOf(client: Client): Promise<string> {
  return (await client.listTools()).tools.map(({ name }) => name).join(' ')
}

async function using(server: Server, use: (client: Client) => Promise<string>): Promise<string> {
  // Most agents of tests never use it, and it takes as long to load as everything else.
  const [sdk, stdio] = await Promise.all([
    import('@modelcontextprotocol/client'),
    import('@modelcontextprotocol/client/stdio'),
  ])
  const client = new sdk.Client({ name: 'claude-code', version: '1' })
  await client.connect(
    server.type === 'http'
      ? new sdk.StreamableHTTPClientTransport(new URL(server.url), {
          requestInit: { headers: fromPairs(server.headers) },
        })
      : new stdio.StdioClientTransport({
          ...{ command: server.command, args: server.args },
          env: { ...process.env, ...fromPairs(server.env) } as Record<string, string>,
        }),
  )
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}

function fromPairs(pairs: Pairs): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]))
}
