import { flushCompileCache } from 'node:module'
import { openAgentProcess } from '../agent-process.ts'
import type { Config } from './config.ts'
import { closeOnSignals } from './signals.ts'

/** Lives as long as its agent, and longer only while other agents use its hub. */
export async function stdio({ port = 0, session, surface, title, ...config }: Config) {
  const { behind, gone } = openAgentProcess({
    hub: { ...config, port },
    conversation: session,
    surface,
    title: session ?? title,
    found(url) {
      // No link to sign in: the agent may read this, and must never become a person.
      console.error(url)
      flushCompileCache()
    },
  })
  const { close, leave } = await behind
  closeOnSignals(close)
  await gone
  await leave()
  process.exit()
}
