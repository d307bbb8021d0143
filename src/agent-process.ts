import { setTimeout as pause } from 'node:timers/promises'
import type { HubConfig } from './hub.ts'
import { bridgeSurface, type SeatedParts } from './mcp/bridge-surface.ts'
import type { Era } from './mcp/mounts.ts'
import { serveOverStdio } from './mcp/stdio.ts'
import { createStdioSeat } from './mcp/stdio-seat.ts'
import type { WatchedCall } from './mcp/surface.ts'
import { ParleyError } from './protocol/errors.ts'
import type { SurfaceName } from './protocol/surface-name.ts'

export interface AgentProcess {
  hub: HubConfig
  /** Absent for a new one. */
  conversation?: string
  title: string
  surface: SurfaceName
}

// An agent that says nothing at first still gets its hub.
const PATIENCE_MS = 100
// Some clients start a second process to find out what the first one speaks, and end one of them at once.
const TRIES = 30
const RETRY_MS = 100

/**
 * What an agent starts: answers MCP on stdio at once and opens the hub behind it. A composition root of its own,
 * because hub.ts loads everything and agents wait for the first answer.
 */
export function openAgentProcess({ hub: config, conversation, title, surface }: AgentProcess) {
  const first = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  const hub = openHubAfter(first.promise, config)
  setTimeout(first.resolve, PATIENCE_MS).unref()
  const { build, leave } = serverOf(surface)
  serveOverStdio({
    build,
    onAnswer: first.resolve,
    onClose: () => void leave().then(gone.resolve),
    onError: (error) =>
      void hub.then(({ journal }) => journal.tell('warn', 'stdio', wrong(error, journal.content)), ignore),
  })
  return { hub, gone: gone.promise }

  function serverOf(surface: SurfaceName) {
    const seated = { chat: hub.then(({ chat }) => chat), conversation, title, admit }
    if (surface === 'bridge') return createStdioSeat({ surface: bridgeSurface, ...seated })
    if (surface === 'agent') return createStdioSeat({ surface: fullSurface, ...seated })
    return { build: async ({ era }: { era: Era }) => (await hub).mcp.serve(surface, era), leave: async () => {} }
  }

  async function admit(call: WatchedCall) {
    return (await hub).admitCall(call)
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

async function openHubAfter(first: Promise<void>, config: HubConfig) {
  await first
  const { openHub } = await import('./hub.ts')
  for (let tries = 1; ; tries++) {
    try {
      return await openHub(config)
    } catch (error) {
      const inUse = error instanceof ParleyError && error.code === 'data_in_use'
      if (!inUse || tries === TRIES) throw error
      await pause(RETRY_MS)
    }
  }
}
