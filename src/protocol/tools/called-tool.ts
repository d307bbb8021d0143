/** What rules call the server of tools that an agent has of its own. */
export const OWN_TOOLS = 'agent'

/** What an approval or a grant says of its tool. */
interface NamedTool {
  tool_name: string
  server?: string
  tool?: string
  fingerprint?: string
}

/** A mounted tool is the same by its server, its name there and what that says of it, whatever a client calls it. */
export function isSameTool(one: NamedTool, other: NamedTool): boolean {
  if (one.server === undefined && other.server === undefined) return one.tool_name === other.tool_name
  return one.server === other.server && one.tool === other.tool && one.fingerprint === other.fingerprint
}

/** What people call the gateway in the settings of their agents. */
const GATEWAYS = ['gateway', 'parley-gateway', 'parley_gateway', 'parley']
/** How agents put the name of a server before that of its tool. Marked, so that the page comes without them. */
const PREFIXES = /* @__PURE__ */ GATEWAYS.flatMap((name) => [
  ...[`mcp__${name}__`, `mcp_${name}_`, `${name}__`, `@${name}/`],
  ...['_', '-', '/', '.', ':'].map((character) => `${name}${character}`),
])

/** What the gateway would call a tool that an agent calls so; several where the name can be read in several ways. */
export function gatewayNames(name: string): string[] {
  const known = name.toLowerCase()
  return PREFIXES.filter((prefix) => known.startsWith(prefix)).map((prefix) => name.slice(prefix.length))
}

/** A tool as rules name it, by the name that an agent calls it: `mcp__SERVER__TOOL` is of a server. */
export function calledTool(name: string): { server: string; tool: string } {
  const [, server = OWN_TOOLS, tool = name] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? []
  return { server, tool }
}
