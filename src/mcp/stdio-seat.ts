import type { Server } from '@modelcontextprotocol/server'
import type { Chat } from '../chat/chat.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import type { SeatedParts } from './bridge-surface.ts'
import { type AdmitCall, buildServer, type Surface } from './surface.ts'

export interface StdioSeatParts {
  surface(parts: SeatedParts): Surface | Promise<Surface>
  /** The first answers do not wait for the hub; the first call does. */
  chat: Promise<Chat>
  /** Absent for a new one. */
  conversation?: string
  title: string
  admit: AdmitCall
}

/** Whoever starts the process is its agent. */
const AGENT: Principal = { name: LOCAL, role: 'agent' }

/** A surface for the agent that started this process: it has one seat for as long as it lives. */
export function createStdioSeat({ chat, surface, conversation, title, admit }: StdioSeatParts) {
  const seat = chat.then((chat) => chat.seat({ conversation, title }))
  // Calls that wait for the hub are told why it did not open; without any, nobody needs the seat.
  seat.catch(ignore)
  return { build, leave }

  async function build(): Promise<Server> {
    return buildServer(await surface({ seatOf: () => seat }), AGENT, admit)
  }

  async function leave() {
    await seat.then(({ close }) => close(), ignore)
  }
}

function ignore() {}
