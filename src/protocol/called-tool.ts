/** What rules call the server of tools that an agent has of its own. */
export const OWN_TOOLS = 'agent'

/** A tool as rules name it, by the name that an agent calls it: `mcp__SERVER__TOOL` is of a server. */
export function calledTool(name: string): { server: string; tool: string } {
  const [, server = OWN_TOOLS, tool = name] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? []
  return { server, tool }
}
