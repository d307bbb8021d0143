import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { endOrphans } from '../../io/family.ts'
import { orUndo } from '../../io/or-undo.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { VERSION } from '../../protocol/version.ts'
import { openServerProcess } from './server-process.ts'

/** A server whose tools the model gets. */
export type McpServer = OwnServer | { name: string; url: string }

interface OwnServer {
  name: string
  command: string
  args: string[]
  env?: Record<string, string>
  /** It is the hub's gateway, which decides about each call itself and tells of it; the name is the client's there. */
  governs?: true
}

export interface McpTool {
  /** `SERVER_TOOL`, as the services of models allow it. */
  name: string
  title?: string
  description?: string
  inputSchema: Record<string, unknown>
  /** Its server decides about each call, and people see it there. */
  governed?: true
  /** Throws when the signal does; everything else that goes wrong is a result. */
  call(input: unknown, signal: AbortSignal): Promise<ToolOutput>
}

export interface ToolOutput {
  text: string
  failed?: true
}

interface Surroundings {
  folder: string
  environment: NodeJS.ProcessEnv
  /** The data folder that they work for. */
  data?: string
  spared?: string
}

const LONGEST_NAME = 64
const LONGEST_CALL_MS = 60 * 60_000
const LONGEST_OUTPUT = 100_000

/** The tools of all servers. Throws where one of them cannot be used. */
export async function openMcpServers(servers: McpServer[], surroundings: Surroundings) {
  if (servers.length > 0) endOrphans({ data: surroundings.data, spared: surroundings.spared })
  const opened = servers.map((server) => openServer(server, surroundings))
  const tools = (await orUndo(() => Promise.all(opened.map((server) => server.tools())), close)).flat()
  const names = new Set<string>()
  return { tools: tools.map((tool) => ({ ...tool, name: unused(tool.name, names) })), close }

  async function close() {
    await Promise.all(opened.map((server) => server.close()))
  }
}

function openServer(server: McpServer, surroundings: Surroundings) {
  const isGateway = 'governs' in server && server.governs === true
  let connection: ReturnType<typeof connect> | undefined
  return { tools, close }

  async function tools(): Promise<McpTool[]> {
    try {
      const { tools } = await (await client()).listTools()
      return tools.map(({ name, title, description, inputSchema }) => ({
        name: (isGateway ? name : `${server.name}_${name}`).replace(/[^\w-]/g, '_'),
        ...(isGateway && { governed: true as const }),
        title,
        description,
        inputSchema: { ...inputSchema },
        call: (input, signal) => call(name, input, signal),
      }))
    } catch (error) {
      throw new ParleyError('mcp_server_failed', { server: server.name, reason: reasonOf(error) }, error)
    }
  }

  async function call(name: string, input: unknown, signal: AbortSignal): Promise<ToolOutput> {
    try {
      const params = { name, arguments: input as Record<string, unknown> }
      const result = await (await client()).callTool(params, {
        signal,
        timeout: LONGEST_CALL_MS,
        onprogress() {},
        resetTimeoutOnProgress: true,
      })
      const text = shortened(inWords(result))
      return result.isError ? { text, failed: true } : { text }
    } catch (error) {
      signal.throwIfAborted()
      const reason = reasonOf(error)
      return { text: isGateway ? reason : `The server ${server.name} failed: ${reason}`, failed: true }
    }
  }

  /** A server that was lost is started again for the next call. */
  function client(): Promise<Client> {
    connection ??= connect()
    return connection.client
  }

  function connect() {
    const way = wayTo(server, surroundings)
    const client = new Client({ name: isGateway ? server.name : 'parley', version: VERSION })
    client.onclose = lost
    return { way, client: client.connect(way.transport).then(() => client, refused) }

    function lost() {
      if (connection?.way === way) connection = undefined
      void way.end()
    }

    function refused(error: unknown): never {
      lost()
      throw error
    }
  }

  async function close() {
    if (!connection) return
    const { way, client } = connection
    way.look()
    // The transport is closed, not the client, which may still wait for the server to answer; then it says that it
    // cannot.
    await way.transport.close()
    await client.catch(() => {})
    await way.end()
  }
}

function wayTo(server: McpServer, surroundings: Surroundings) {
  if ('command' in server) return openServerProcess({ ...server, ...surroundings })
  return { transport: new StreamableHTTPClientTransport(new URL(server.url)), look() {}, async end() {} }
}

function inWords({ content, structuredContent }: Awaited<ReturnType<Client['callTool']>>): string {
  const texts = content.map((part) => {
    if (part.type === 'text') return part.text
    if (part.type === 'resource' && 'text' in part.resource) return part.resource.text
    return `[${part.type}]`
  })
  if (texts.length === 0 && structuredContent !== undefined) return JSON.stringify(structuredContent)
  return texts.join('\n')
}

function shortened(text: string): string {
  const more = text.length - LONGEST_OUTPUT
  return more > 0 ? `${text.slice(0, LONGEST_OUTPUT)}\n[${more} characters more were left out]` : text
}

/** Two tools must not have the same name once it is cut and cleaned. */
function unused(name: string, names: Set<string>): string {
  let free = name.slice(0, LONGEST_NAME)
  for (let n = 2; names.has(free); n += 1) free = `${name.slice(0, LONGEST_NAME - 4)}_${n}`
  names.add(free)
  return free
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
