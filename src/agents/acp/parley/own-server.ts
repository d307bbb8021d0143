import { randomInt } from 'node:crypto'
import { MARK } from '../../../io/mark.ts'
import type { AgentQuirks } from '../../../launcher/catalogue.ts'
import type { ParleyServer } from '../../driver.ts'
import { type Loose, record, records, text } from '../loose.ts'
import type { openHttpDoor } from './http-door.ts'

/**
 * The name is as short as `gateway`: agents put it before the names of tools, which services of models cut at 64
 * characters.
 */
const LETTERS = 36 ** 4
const TOOL = /^[\w.-]+$/

/**
 * What an agent calls the server that is Parley: a name that nobody could know before, so that no server of the agent's own
 * settings or of a folder has it.
 */
export function ownServer({ stdio, gateway }: ParleyServer) {
  const name = `hub${randomInt(LETTERS).toString(36).padStart(4, '0')}`
  const prefix = `mcp__${name}__`
  let door: Promise<Awaited<ReturnType<typeof openHttpDoor>>> | undefined
  return { name, servers, toolIn, isGoverned, asHubHasIt, close: async () => (await door)?.close() }

  /** Parley in the form that this agent takes; none where it takes no servers. */
  async function servers(capabilities: Loose, { no_mcp, no_stdio }: AgentQuirks, folder: string): Promise<Loose[]> {
    if (no_mcp) return []
    // Processes of Parley are not the agent's, and outlive it.
    const env = { ...stdio.env, ...(gateway && { PARLEY_DRIVEN: 'agent' }), [MARK]: '' }
    if (!no_stdio || record(capabilities.mcpCapabilities).http !== true)
      return [{ name, command: stdio.command, args: stdio.args, env: pairs(env) }]
    // Few agents need it, and it takes a while to load.
    door = import('./http-door.ts').then(({ openHttpDoor }) => openHttpDoor({ folder, server: { ...stdio, env } }))
    const { url, headers } = await door
    return [{ type: 'http', name, url, headers: pairs(headers) }]
  }

  /**
   * The tool of Parley that a call is of, where the agent's own program names it. Titles, arguments and commands are made of
   * what a model wrote, which knows the name of the server by then, and prove nothing.
   */
  function toolIn(call: Loose, { asks_by }: AgentQuirks, options: unknown = []): string | undefined {
    const meta = record(call._meta)
    const ids = records(options).map(({ optionId }) => optionId)
    switch (asks_by) {
      case 'meta':
        return ours(text(meta.toolName))
      case 'call_id': {
        // The id begins with the name of the tool, and this option is of servers alone.
        const [, server, tool] = /^mcp_([a-z0-9]+)_(.+?)__mcp_/.exec(text(call.toolCallId) ?? '') ?? []
        return ids.includes('proceed_always_server') ? ours(`mcp__${server}__${tool}`) : undefined
      }
      case 'permission_title':
        // Of what is asked about alone, and with the options that calls of tools have.
        return ids.includes('approve_once') ? ours(text(call.title)) : undefined
      default:
        return ours(text(call.name) ?? text(record(meta.claudeCode).toolName))
    }
  }

  function ours(tool_name: string | undefined): string | undefined {
    return tool_name !== undefined && isOurs(tool_name) ? tool_name : undefined
  }

  function isOurs(tool_name: string): boolean {
    return tool_name.startsWith(prefix) && TOOL.test(tool_name.slice(prefix.length))
  }

  /** Where mounted tools are there, too, the hub itself decides about a call and tells of it. */
  function isGoverned(tool_name: string): boolean {
    return gateway === true && isOurs(tool_name)
  }

  /** The name as people and rules have it: they know nothing of the name of this session. */
  function asHubHasIt(tool_name: string): string {
    return isOurs(tool_name) ? tool_name.replace(name, gateway ? 'gateway' : 'parley') : tool_name
  }
}

export type OwnServer = ReturnType<typeof ownServer>

function pairs(values: Record<string, string>): Loose[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}
