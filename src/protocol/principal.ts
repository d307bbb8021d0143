import * as z from 'zod/mini'
import { Name } from './text.ts'

export const Role = z.enum(['human', 'agent', 'orchestrator', 'admin'], 'must be human, agent, orchestrator or admin')
export type Role = z.infer<typeof Role>

/** Who calls, taken from a token or from the local default. Bound to one conversation, or to none. */
export interface Principal {
  name: string
  role: Role
  conversation?: string
}

/** Whoever calls a hub without tokens; no token may be made for this name. */
export const LOCAL = 'local'

export const PrincipalName = Name.check(z.refine((name) => name !== LOCAL, `must not be "${LOCAL}"`))

export const EVERYONE: Role[] = ['human', 'agent', 'orchestrator', 'admin']
export const HUMANS: Role[] = ['human', 'admin']
export const AGENTS: Role[] = ['agent', 'orchestrator', 'admin']
