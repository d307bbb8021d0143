import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { onTestFinished } from 'vitest'
import type { Chat } from '../../../src/chat/chat.ts'
import type { AgentSession } from '../../../src/chat/delivery/agent-session.ts'
import { buildServer, type Caller, type Repeated, type Surface } from '../../../src/doors/mcp/surface.ts'
import { agentSurface } from '../../../src/doors/mcp/surfaces/agent-surface.ts'
import type { AgentSurfaceParts } from '../../../src/doors/mcp/surfaces/bridge-surface.ts'
import { localPrincipal, type Principal } from '../../../src/protocol/principal.ts'
import type { Era } from '../agent.ts'
import { outputSchemas } from '../mcp/output-schemas.ts'

interface LineParts extends Partial<AgentSurfaceParts> {
  era?: Era
  principal?: Principal
  surface?: (parts: AgentSurfaceParts) => Surface
  /** What its line says of each request. */
  repeatOf?: () => Repeated | undefined
  called?(caller: Caller): void
}

/** A real client at a server of the hub, with no process and no socket in between. */
export async function connectLine(chat: Chat, parts: LineParts = {}): Promise<Client> {
  const { era = 'legacy', principal = localPrincipal('agent'), surface = agentSurface, repeatOf, called } = parts
  let session: AgentSession | undefined
  const sessionOf = async (caller: Caller) => {
    called?.(caller)
    session ??= chat.as(principal).agentSession({ conversation: 'work', title: 'Work' })
    return session
  }
  const [here, there] = InMemoryTransport.createLinkedPair()
  const build = () => buildServer(surface({ sessionOf, ...parts }), principal, { repeatOf })
  serveStdio(build, { transport: there })
  const mode = era === 'modern' ? 'auto' : 'legacy'
  const client = new Client(
    { name: 'test-client', version: '1' },
    { versionNegotiation: { mode }, jsonSchemaValidator: outputSchemas },
  )
  await client.connect(here)
  onTestFinished(() => client.close())
  return client
}
