import { ParleyError } from '../../protocol/errors.ts'
import type { Carried } from '../../protocol/frames/delivered-ids.ts'
import { rolesThatCan } from '../../protocol/principal.ts'
import type { RestCall } from '../http/routes/rest.ts'
import { type AdmitCall, type Answer, callTool, type Tool, toolNamed } from './surface.ts'

/** Tools for callers that speak no MCP: by the name of their server and their own, as the documents write them. */
export function createToolCalls(servers: Record<string, Tool[]>, admit?: AdmitCall) {
  return { call, split }

  async function call({ server, tool, input, principalAs, signal }: RestCall): Promise<Answer> {
    const tools = Object.hasOwn(servers, server) ? servers[server] : undefined
    if (!tools) throw new ParleyError('unknown_server', { server, known: Object.keys(servers).join(', ') })
    const [role = 'human'] = rolesThatCan(toolNamed(tools, tool)?.needs ?? 'read')
    const principal = principalAs(role)
    return callTool(tools, tool, input, { client: principal.name, principal, signal, waitedMs: 0, carry }, admit)
  }

  /**
   * `ui_chat_human_post` is the tool `chat_human_post` of the server `ui`; a tool's name alone is one of any server.
   */
  function split(name: string): { server: string; tool: string } {
    for (const [server, tools] of Object.entries(servers))
      for (const start of [`${server}_`, `${server}.`]) {
        const tool = name.slice(start.length)
        if (name.startsWith(start) && toolNamed(tools, tool)) return { server, tool }
      }
    const [server] = Object.entries(servers).find(([, tools]) => toolNamed(tools, name)) ?? []
    if (!server) throw new ParleyError('unknown_tool', { tool: name })
    return { server, tool: name }
  }
}

/** Nobody here sees the answer leave, so that nothing in it can be said to have arrived. */
function carry(delivery: Carried) {
  delivery.returned()
}
