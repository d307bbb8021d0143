import { type Agent, agentIn, isSameAgent } from '../protocol/agent.ts'
import { isSameTool } from '../protocol/called-tool.ts'
import type { Approval, Body, Revocation } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Conversation, Grant, OpenQuestion } from '../protocol/fold.ts'
import { knownId } from './decision.ts'

/** The state of a conversation, which every page is sent, names them all. */
const MOST_TOOLS = 32

/** Whatever else waits for the same tool is allowed along with the call that is: nobody wants to be asked again. */
export function alsoAllowed(state: Conversation, allowed: OpenQuestion, by: string): Body[] {
  const { id, approval } = allowed
  const { always = [], open } = state
  if (always.length >= MOST_TOOLS) throw new ParleyError('too_many_tools', { most: MOST_TOOLS })
  const others = open.filter(
    (other) =>
      other.id !== id &&
      isSameAgent(agentIn(other), agentIn(allowed)) &&
      other.approval !== undefined &&
      approval !== undefined &&
      isSameTool(other.approval, approval) &&
      !other.approval.options,
  )
  return others.map((other) => ({
    kind: 'settlement',
    question: knownId(other.id),
    outcome: 'approved',
    by,
    always: 'used',
  }))
}

/** Whoever it was always allowed to. */
export function revoked({ always = [] }: Conversation, tool_name: string, by: string): Revocation {
  if (!always.some((grant) => grant.tool_name === tool_name))
    throw new ParleyError('not_always_allowed', { tool: tool_name })
  return { kind: 'revocation', by, tool_name }
}

type Named = Pick<Approval, 'tool_name' | 'server' | 'tool' | 'fingerprint'>

export function grantOf({ always = [] }: Conversation, tool: Named, agent: Agent): Grant | undefined {
  return always.find((grant) => isSameTool(grant, tool) && isSameAgent(grant, agent))
}
