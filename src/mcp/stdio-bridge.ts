import type { Server } from '@modelcontextprotocol/server'
import type { Chat } from '../chat/chat.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import { bridgeSurface } from './bridge-surface.ts'
import { buildServer } from './surface.ts'

export interface StdioBridgeParts {
  /** The first answers do not wait for the hub; the first call does. */
  chat: Promise<Chat>
  /** Absent for a new one. */
  conversation?: string
  title: string
}

/** Whoever starts the process is its agent. */
const AGENT: Principal = { name: LOCAL, role: 'agent' }

/** The bridge for the agent that started this process: it has one seat for as long as it lives. */
export function createStdioBridge({ chat, conversation, title }: StdioBridgeParts) {
  const seat = chat.then((chat) => chat.seat({ conversation, title }))
  // Calls that wait for the hub are told why it did not open; without any, nobody needs the seat.
  seat.catch(ignore)
  return { build, leave }

  function build(): Server {
    return buildServer(bridgeSurface({ seatOf: () => seat }), AGENT)
  }

  async function leave() {
    await seat.then(({ close }) => close(), ignore)
  }
}

function ignore() {}
