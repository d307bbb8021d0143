import { flushCompileCache } from 'node:module'
import { openAgentProcess } from '../agent-process.ts'
import type { Hub } from '../hub.ts'
import type { Config } from './config.ts'
import { closeOnSignals } from './signals.ts'

/** Lives as long as its agent, and longer only while other agents use its hub. */
export async function stdio({ port = 0, session, surface, title, ...config }: Config) {
  const { hub, gone } = openAgentProcess({
    hub: { ...config, port },
    conversation: session,
    surface,
    title: session ?? title,
  })
  const { chat, url, isClosing, close } = await hub
  closeOnSignals(close)
  // No link to sign in: the agent may read this, and must never become a person.
  console.error(url)
  flushCompileCache()
  await gone
  if (!isClosing()) await noAgentLeft(chat)
  await close()
  process.exit()
}

async function noAgentLeft(chat: Hub['chat']) {
  const after = await chat.last()
  await new Promise<void>((resolve) => {
    const check = () => {
      if (chat.agents().length === 0) resolve()
    }
    chat.follow({ after }, { entries() {}, agent: check })
    check()
  })
}
