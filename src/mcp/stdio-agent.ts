import type { Server } from '@modelcontextprotocol/server'
import type { Seat } from '../chat/seat.ts'
import { localPrincipal } from '../protocol/principal.ts'
import type { SeatedParts } from './bridge-surface.ts'
import type { AgentFiles } from './enclosures.ts'
import { type AdmitCall, buildServer, type Surface } from './surface.ts'

export interface StdioAgentParts {
  surface(parts: SeatedParts): Surface | Promise<Surface>
  /** The first answers do not wait for the hub; the first call does. */
  seat: Promise<Seat>
  files(): Promise<AgentFiles>
  admit: AdmitCall
  maxWaitSeconds?: number
}

/** Whoever starts the process is its agent. */
const AGENT = localPrincipal('agent')

/** Servers of a surface for the agent that started this process: it has one seat for as long as it lives. */
export function createStdioAgent({ seat, files, surface, admit, maxWaitSeconds }: StdioAgentParts) {
  // Calls that wait for the hub are told why it did not open; without any, nobody needs the seat.
  seat.catch(() => {})
  return async function build(): Promise<Server> {
    return buildServer(await surface({ seatOf: () => seat, files, maxWaitSeconds }), AGENT, admit)
  }
}
