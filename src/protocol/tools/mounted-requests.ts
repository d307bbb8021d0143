/** What rules call reading a resource of a mounted server; its address is the argument `uri`. */
export const READ = 'resources/read'

const GET = 'prompts/get/'

/** What rules call getting a prompt of a mounted server; its arguments are those of the prompt. */
export function promptTool(name: string): string {
  return `${GET}${name}`
}

export function promptIn(tool: string): string {
  return tool.slice(GET.length)
}

/** What the protocol says of them. */
export const ONLY_READS = { readOnlyHint: true }

/** Whether it is no tool that is called so. */
export function isMountedRequest(tool: string): boolean {
  return tool === READ || tool.startsWith(GET)
}

/** Following a resource is reading it, with this besides. */
export const FOLLOWING = { subscribe: true }

export function isFollowing(tool: string, { subscribe }: Record<string, unknown>): boolean {
  return tool === READ && subscribe === true
}

/** What a server is asked, for a tool or one of these. */
export function requestOf(tool: string, input: Record<string, unknown>) {
  if (tool === READ) return { method: 'resources/read', params: { uri: input.uri } }
  if (tool.startsWith(GET)) return { method: 'prompts/get', params: { name: promptIn(tool), arguments: input } }
  return { method: 'tools/call', params: { name: tool, arguments: input } }
}
