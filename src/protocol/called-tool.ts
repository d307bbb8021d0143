/** What rules call the server of tools that an agent has of its own. */
const OWN_TOOLS = 'agent'

/** As an approval names a tool: by what its agent calls it, and of a mounted one by what it is at its server. */
interface Called {
  tool_name: string
  server?: string
  tool?: string
}

/** A tool as rules name it. What an agent calls `mcp__SERVER__TOOL` is of a server, too. */
export function calledTool({ tool_name, server, tool = tool_name }: Called): { server: string; tool: string } {
  if (server !== undefined) return { server, tool }
  const [, named = OWN_TOOLS, own = tool_name] = /^mcp__(.+?)__(.+)$/s.exec(tool_name) ?? []
  return { server: named, tool: own }
}
