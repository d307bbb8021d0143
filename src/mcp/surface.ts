import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type Implementation,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import * as z from 'zod/mini'
import { ParleyError } from '../protocol/errors.ts'
import { parse } from '../protocol/parse.ts'
import { Name } from '../protocol/text.ts'
import { VERSION } from '../protocol/version.ts'

/** Who calls a tool, and how to reach them while it runs. */
export interface Caller {
  client: string
  context: ServerContext
}

export interface Tool<Input extends z.ZodMiniObject = z.ZodMiniObject> {
  name: string
  title: string
  description: string
  input: Input
  output?: z.ZodMiniObject
  call(input: z.output<Input>, caller: Caller): Promise<CallToolResult>
}

export interface Surface {
  name: string
  instructions: string
  tools: Tool[]
}

/** Keeps the compiler's knowledge of a tool's own input while tools of all kinds share one list. */
export function tool<Input extends z.ZodMiniObject>(definition: Tool<Input>): Tool {
  return definition as unknown as Tool
}

/** One server for one connection, session or request; the surface is the same for both protocol eras. */
export function buildServer({ name, instructions, tools }: Surface): Server {
  const server = new Server({ name, title: 'Parley', version: VERSION }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler('tools/list', async () => ({ tools: tools.map(listed) }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const called = tools.find((tool) => tool.name === params.name)
    if (!called) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name}"`)
    try {
      return await called.call(parse(called.input, params.arguments ?? {}), {
        client: clientName(server, context),
        context,
      })
    } catch (error) {
      if (error instanceof ParleyError) return { content: [{ type: 'text', text: error.message }], isError: true }
      throw error
    }
  })
  return server
}

/** The same answer as text and as data: some clients show the model only the one, some only the other. */
export function answered(data: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data }
}

/** 2026-era requests name their client each time, 2025-era ones once for all. */
function clientName(server: Server, { mcpReq }: ServerContext): string {
  const envelope = mcpReq.envelope as { [CLIENT_INFO_META_KEY]?: Implementation } | undefined
  const { name } = envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion() ?? {}
  return Name.safeParse(name).data ?? 'agent'
}

function listed({ name, title, description, input, output }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input),
    outputSchema: output && schemaOf(output),
    // Claude hides tools behind a search unless they say otherwise.
    _meta: { 'anthropic/alwaysLoad': true },
  }
}

function schemaOf(schema: z.ZodMiniObject) {
  return z.toJSONSchema(schema, { io: 'input' }) as { type: 'object' }
}
