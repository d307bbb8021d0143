import { LOCAL, LOCAL_AGENT } from './local.ts'

/** Who asks: its principal, and what it calls itself. An older Parley kept less. */
export interface Agent {
  asker?: string
  agent?: string
}

/** All agents without a token are one principal: those are told apart by what they call themselves, which people see. */
export function isSameAgent({ asker = LOCAL_AGENT, agent }: Agent, other: Agent): boolean {
  if (asker !== (other.asker ?? LOCAL_AGENT)) return false
  return !isLocal(asker) || (agent ?? other.agent) === (other.agent ?? agent)
}

/** A name for the same. */
export function agentOf(asker: string, agent: string): string {
  return isLocal(asker) ? `${asker} ${agent}` : asker
}

function isLocal(asker: string): boolean {
  return asker.startsWith(`${LOCAL}:`)
}
