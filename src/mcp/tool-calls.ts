import { ParleyError } from '../protocol/errors.ts'
import { type Principal, type Role, rolesThatCan } from '../protocol/principal.ts'
import type { Carried } from './departure.ts'
import { type AdmitCall, type Answer, callTool, type Tool } from './surface.ts'

export interface ToolCall {
  server: string
  tool: string
  input: unknown
  /** Who asks, given the role that a caller without a token would have. */
  principalAs(role: Role): Principal
  signal: AbortSignal
}

/** Tools for callers that speak no MCP: by the name of their server and their own, as the documents write them. */
export function createToolCalls(servers: Record<string, Tool[]>, admit?: AdmitCall) {
  return { call, split }

  async function call({ server, tool, input, principalAs, signal }: ToolCall): Promise<Answer> {
    const tools = Object.hasOwn(servers, server) ? servers[server] : undefined
    if (!tools) throw new ParleyError('unknown_server', { server, known: Object.keys(servers).join(', ') })
    const called = tools.find(({ name, alias }) => name === tool || alias === tool)
    const [role = 'human'] = rolesThatCan(called?.needs ?? 'read')
    const principal = principalAs(role)
    return callTool(tools, tool, input, { client: principal.name, principal, signal, waitedMs: 0, carry }, admit)
  }

  /** `ui_chat_human_post` is the tool `chat_human_post` of the server `ui`. */
  function split(name: string): { server: string; tool: string } {
    const server = Object.keys(servers).find((known) => name.startsWith(`${known}_`))
    if (!server) throw new ParleyError('unknown_tool', { tool: name })
    return { server, tool: name.slice(server.length + 1) }
  }
}

/** Nobody here sees the answer leave, so that nothing in it can be said to have arrived. */
function carry(parcel: Carried) {
  parcel.returned()
}
