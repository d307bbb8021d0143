import * as z from 'zod/mini'
import { ParleyError } from './errors.ts'
import { LOCAL } from './local.ts'
import { Name } from './text/text.ts'

export { LOCAL } from './local.ts'

export const Role = z.enum(['human', 'agent', 'orchestrator', 'admin'], 'must be human, agent, orchestrator or admin')
export type Role = z.infer<typeof Role>

/**
 * `read` what was said; `speak` as a person: say, answer, allow, stop; `ask` as an agent: ask, tell, post as the
 * assistant; `drive`: hold conversations and drive their agents; `administer`: read as somebody
 * else, mount servers, and make rules that count for everyone.
 */
export type Capability = 'read' | 'speak' | 'ask' | 'drive' | 'administer'

const CAPABILITIES: Record<Role, readonly Capability[]> = {
  human: ['read', 'speak'],
  agent: ['read', 'ask'],
  orchestrator: ['read', 'ask', 'drive'],
  admin: ['read', 'speak', 'ask', 'drive', 'administer'],
}

/** The caller, taken from a token or from the local default. What a client calls itself is not in it. */
export interface Principal {
  /** Nobody else has it. */
  id: string
  /** How people are shown it. */
  name: string
  role: Role
  /** The only one it may see; without it, all. */
  conversation?: string
  /** The conversation it speaks in during this visit, unless it names another. Without it, the common one. */
  home?: Home
  /** A person where there are no tokens: whose hub it is, and who may administer it at the page. */
  owner?: true
}

/** The one conversation of a visit. */
export interface Home {
  conversation: string
  /** Somebody named it. Otherwise it is the visit's own, and the common one is read besides. */
  isNamed: boolean
  /** The title when it begins, and the folder of its agent. */
  title?: string
  folder?: string
}

/** The conversation where people and programs meet that name none. */
export const COMMON = 'chat'

export const PrincipalName = Name.check(
  z.refine((name) => name !== LOCAL && !name.startsWith(`${LOCAL}:`), `must not be "${LOCAL}"`),
)

const LOCALS = new Map(Role.options.map((role) => [role, newLocal(role)]))

/** The principal of anyone on this machine where there are no tokens: the door decides what it is. */
export function localPrincipal(role: Role): Principal {
  return LOCALS.get(role) ?? newLocal(role)
}

function newLocal(role: Role): Principal {
  return { id: `${LOCAL}:${role}`, name: LOCAL, role, ...(role === 'human' && { owner: true }) }
}

export function can(principal: Principal, capability: Capability): boolean {
  return hasRoleFor(principal, capability) && !isAboutOthers(principal, capability)
}

export function mustBeAble(principal: Principal, capability: Capability) {
  const { name, role } = principal
  if (!hasRoleFor(principal, capability))
    throw new ParleyError('forbidden_role', { roles: rolesThatCan(capability).join(' or '), name, role })
  if (isAboutOthers(principal, capability)) throw new ParleyError('bound_to_one', { name })
}

function hasRoleFor({ role, owner }: Principal, capability: Capability): boolean {
  return CAPABILITIES[role].includes(capability) || (owner === true && capability === 'administer')
}

/** Administration concerns all conversations, so that it needs a principal that sees them all. */
function isAboutOthers({ conversation }: Principal, capability: Capability): boolean {
  return capability === 'administer' && conversation !== undefined
}

/** The first of them is the one that the capability is for. */
export function rolesThatCan(capability: Capability): Role[] {
  return Role.options.filter((role) => CAPABILITIES[role].includes(capability))
}

/** Rules are about all conversations, and name some. */
export function seesPolicy(principal: Principal): boolean {
  return can(principal, 'speak') && principal.conversation === undefined
}
