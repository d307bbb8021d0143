import type { HubConfig } from './hub.ts'
import { bridgeSurface, type SeatedParts } from './mcp/bridge-surface.ts'
import type { Era } from './mcp/mounts.ts'
import { serveOverStdio } from './mcp/stdio.ts'
import { createStdioAgent } from './mcp/stdio-agent.ts'
import type { WatchedCall } from './mcp/surface.ts'
import type { ChatSurface, SurfaceName } from './protocol/surface-name.ts'

export interface AgentProcess {
  hub: HubConfig
  /** Absent for a new one. */
  conversation?: string
  title: string
  surface: SurfaceName
  /** Told the address of the page. */
  found(url: string): void
}

// An agent that says nothing at first still gets its hub.
const PATIENCE_MS = 100

/**
 * What an agent starts: answers MCP on stdio at once and finds the hub behind it. A composition root of its own,
 * because hub.ts loads everything and agents wait for the first answer.
 */
export function openAgentProcess({ surface, ...parts }: AgentProcess) {
  const first = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  setTimeout(first.resolve, PATIENCE_MS).unref()
  const { build, behind } =
    surface === 'bridge' || surface === 'agent' ? seated(surface, parts) : served(surface, parts)
  serveOverStdio({
    build,
    onAnswer: first.resolve,
    onClose: gone.resolve,
    onError: (error) =>
      void behind.then(({ logbook }) => logbook.tell('warn', 'stdio', wrong(error, logbook.content)), ignore),
  })
  return { behind, gone: gone.promise }

  /** The surfaces of agents: they have a seat in the hub, wherever that is. */
  function seated(surface: 'bridge' | 'agent', parts: Omit<AgentProcess, 'surface'>) {
    const behind = first.promise.then(async () => {
      const { openAgentHub } = await import('./agent-hub.ts')
      return openAgentHub(parts)
    })
    const seat = behind.then(({ seat }) => seat)
    const files = async () => (await behind).files()
    const admit = async (call: WatchedCall) => (await behind).admit(call)
    const { maxWaitSeconds } = parts.hub
    const build = createStdioAgent({
      surface: surface === 'bridge' ? bridgeSurface : fullSurface,
      seat,
      files,
      admit,
      maxWaitSeconds,
    })
    return { build, behind }
  }

  /** The surfaces of programs: the hub itself builds them. */
  function served(surface: ChatSurface, { hub: config, found }: Omit<AgentProcess, 'surface'>) {
    const behind = first.promise.then(async () => {
      const { openOwnHub } = await import('./agent-hub.ts')
      const hub = await openOwnHub(config)
      found(hub.url)
      const leave = async () => {
        if (!hub.isClosing()) await hub.noAgentLeft()
        await hub.close()
      }
      return { logbook: hub.logbook, mcp: hub.mcp, leave, close: hub.close }
    })
    const build = async ({ era }: { era: Era }) => (await behind).mcp.serve(surface, era)
    return { build, behind }
  }
}

/** Loaded only where it is asked for. */
async function fullSurface(parts: SeatedParts) {
  const { agentSurface } = await import('./mcp/agent-surface.ts')
  return agentSurface(parts)
}

/** What could not be understood is content too. */
function wrong({ message, cause }: Error, content: boolean) {
  return { error: message, line: content ? cause : undefined }
}

function ignore() {}
