interface Named {
  tool_name: string
  server?: string
  tool?: string
}

/** A tool as its server calls it, as far as that is told or can be seen from what clients call it by. */
export function ownName({ tool_name, server, tool }: Named): string {
  if (tool !== undefined) return tool
  return server !== undefined && tool_name.startsWith(`${server}_`) ? tool_name.slice(server.length + 1) : tool_name
}
