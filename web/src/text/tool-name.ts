/** A mounted tool as its server calls it, where that can be told from what clients call it by. */
export function ownName(name: string, server?: string): string {
  return server !== undefined && name.startsWith(`${server}_`) ? name.slice(server.length + 1) : name
}
