/** The sets of MCP tools and resources that a client can be given. */
export const SURFACES = ['bridge', 'human', 'assistant', 'loop', 'ui'] as const
export type SurfaceName = (typeof SURFACES)[number]
/** Those that are built by the hub; the bridge answers before there is one. */
export type ChatSurface = Exclude<SurfaceName, 'bridge'>
