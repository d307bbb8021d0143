/** The sets of MCP tools and resources that a client can be given. */
export const SURFACES = [
  'bridge',
  'agent',
  'chat',
  'human',
  'assistant',
  'loop',
  'ui',
  'orchestrator',
  'gateway',
] as const
export type SurfaceName = (typeof SURFACES)[number]
/** Those that are built by the hub; the ones for agents answer before there is one. */
export type ChatSurface = Exclude<SurfaceName, 'bridge' | 'agent'>
