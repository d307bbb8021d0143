import { LOCAL_AGENT } from '../local.ts'

/**
 * The agent that asks, as entries keep it; the conversation is that of the entry. It is the principal, the name its
 * client gives itself, the whole folder that it works in, and its visit. An older Parley kept less.
 */
export interface Agent {
  asker?: string
  agent?: string
  /** Empty where nothing proves one. */
  folder?: string
  visit?: string
  /** The start of its visit, in milliseconds since 1970, where that is known. Never kept. */
  began?: number
}

/** An entry of somebody who asks. */
interface Asked extends Omit<Agent, 'agent' | 'began'> {
  by?: string
}

const RUN = 'run:'
const REQUEST = 'request:'
const DRIVEN = 'driven:'

/** The visit of a client that names its run, in whichever process. */
export const visitOfRun = (run: string): string => `${RUN}${run}`

/** The visit of a request that nothing tells from those of others: it is nobody else's, ever. */
export const visitOfRequest = (id: string): string => `${REQUEST}${id}`

/** The visit of a driven agent's own line: who drives it is told what its calls come to. */
export const visitOfDriven = (visit: string): string => `${DRIVEN}${visit}`

/** The visit of clients that say where they speak with each request: two of them in one place look like one. */
export const STATELESS = 'stateless'

/** Clients that only say where they speak are not told apart by it. */
export function isSameVisit(one: string | undefined, other: string | undefined): boolean {
  return one === other && one !== STATELESS
}

export function agentIn({ asker, by, folder, visit }: Asked): Agent {
  return { asker, agent: by, folder, visit }
}

/** The one rule for whose something is. What cannot be told apart is the same only where it is the same request. */
export function isSameAgent(one: Agent, other: Agent): boolean {
  if (!isAlike(one, other)) return false
  return one.visit === other.visit || !(isRequest(one.visit) || isRequest(other.visit))
}

/** Whether one that names what the other got could be it. */
export function isAlike(one: Agent, other: Agent): boolean {
  return (
    (one.asker ?? LOCAL_AGENT) === (other.asker ?? LOCAL_AGENT) &&
    agrees(one.agent, other.agent) &&
    agrees(one.folder, other.folder)
  )
}

/** A name for the same, within one conversation. */
export function identityOf({ asker = LOCAL_AGENT, agent = '', folder = '', visit }: Agent): string {
  return JSON.stringify([asker, agent, folder, ...(isRequest(visit) ? [visit] : [])])
}

export function isRun(visit: string | undefined): boolean {
  return visit?.startsWith(RUN) === true || visit?.startsWith(DRIVEN + RUN) === true
}

/** Whether who drives is told what its calls come to. An older Parley kept no visit. */
export function isForDriver(visit: string | undefined): boolean {
  return visit === undefined || visit.startsWith(DRIVEN)
}

/** Nothing that is for later can be anybody's. */
export function isRequest(visit: string | undefined): boolean {
  return visit?.startsWith(REQUEST) === true
}

/** What an older Parley did not keep tells nothing. */
function agrees(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other
}
