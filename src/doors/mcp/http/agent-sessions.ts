import type { AgentSession } from '../../../chat/delivery/agent-session.ts'

/** The agent sessions of those that come by HTTP: kept from call to call, given up when their agent stays away. */
export function createAgentSessions({ idleMs }: { idleMs: number }) {
  const agentSessions = new Map<string, { agentSession: AgentSession; clients: Set<string> }>()
  /** The requests and streams that clients have open. */
  const open = new Map<string, Set<Promise<unknown>>>()
  return {
    agentSessionOf,
    attends,
    idle,
    leave: (session: string) => agentSessionsOf(session).forEach(leave),
    reap,
    close,
  }

  /** A client may have several agent sessions, and an agent session several clients. */
  function agentSessionOf(agent: string, client: string, take: () => AgentSession): AgentSession {
    const taken = agentSessions.get(agent) ?? { agentSession: take(), clients: new Set() }
    const { agentSession, clients } = taken
    agentSessions.set(agent, taken)
    if (!clients.has(client)) for (const until of open.get(client) ?? []) agentSession.attends(until)
    clients.add(client)
    return agentSession
  }

  /** The client has a request or a stream open until then. */
  function attends(client: string, until: Promise<unknown>) {
    const all = (open.get(client) ?? new Set()).add(until)
    open.set(client, all)
    for (const { agentSession, clients } of agentSessions.values()) if (clients.has(client)) agentSession.attends(until)
    void until.then(() => {
      all.delete(until)
      if (all.size === 0 && open.get(client) === all) open.delete(client)
    })
  }

  /** Whether an MCP session, which may have an agent session for each run of its client, does nothing in any. */
  function idle(session: string): boolean {
    return agentSessionsOf(session).every(isIdle)
  }

  function isIdle(agent: string): boolean {
    return (agentSessions.get(agent)?.agentSession.idleMs() ?? idleMs) >= idleMs
  }

  function agentSessionsOf(session: string): string[] {
    return [...agentSessions].flatMap(([agent, { clients }]) => (clients.has(session) ? agent : []))
  }

  function leave(agent: string) {
    agentSessions.get(agent)?.agentSession.close()
    agentSessions.delete(agent)
  }

  function reap() {
    for (const agent of [...agentSessions.keys()]) if (isIdle(agent)) leave(agent)
  }

  function close() {
    for (const agent of [...agentSessions.keys()]) leave(agent)
  }
}
