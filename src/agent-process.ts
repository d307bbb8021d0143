import { setTimeout as pause } from 'node:timers/promises'
import type { HubConfig } from './hub.ts'
import { serveAgentOverStdio } from './mcp/stdio.ts'
import { ParleyError } from './protocol/errors.ts'

export interface AgentProcess {
  hub: HubConfig
  /** Absent for a new one. */
  conversation?: string
  title: string
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
export function openAgentProcess({ hub: config, conversation, title }: AgentProcess) {
  const first = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  const hub = openHubAfter(first.promise, config)
  setTimeout(first.resolve, PATIENCE_MS).unref()
  serveAgentOverStdio({
    chat: hub.then(({ chat }) => chat),
    conversation,
    title,
    onAnswer: first.resolve,
    onClose: gone.resolve,
    onError: (error) => console.error(error.message),
  })
  return { hub, gone: gone.promise }
}

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
