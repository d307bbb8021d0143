import { type Agent, agentIn, isSameAgent } from '../../protocol/entries/agent.ts'
import type { Approval, Body, Revocation } from '../../protocol/entries/entry.ts'
import { type ConversationState, type Grant, isTakenBack, type OpenQuestion } from '../../protocol/entries/fold.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { MASK } from '../../protocol/secrets/masking.ts'
import { alwaysCommand, inputIn, isCovered } from '../../protocol/tools/always-command.ts'
import { isSameTool } from '../../protocol/tools/called-tool.ts'
import { knownId } from '../conversation/decision.ts'

/** The state of a conversation, which every page is sent, names them all. */
const MOST_TOOLS = 32
const LONGEST_COMMAND = 4096

/** Throws unless what is always allowed of a call can be told from any other. */
export function mustBeSayable({ approval }: Pick<OpenQuestion, 'approval'>) {
  const command = JSON.stringify(alwaysCommand(inputIn(approval?.input ?? '')) ?? {})
  if (command.includes(MASK)) throw new ParleyError('always_unsaid', { problem: 'a part of it is masked' })
  // What was cut may have been a command.
  if (approval?.cut || command.length > LONGEST_COMMAND)
    throw new ParleyError('always_unsaid', { problem: 'it is too long' })
}

/** Other calls that wait for the same are allowed along with it: nobody wants to be asked again. */
export function alsoAllowed(state: ConversationState, allowed: OpenQuestion, by: string): Body[] {
  const { id, approval } = allowed
  const { always = [], open } = state
  const command = alwaysCommand(inputIn(approval?.input ?? ''))
  if (always.length >= MOST_TOOLS) throw new ParleyError('too_many_tools', { most: MOST_TOOLS })
  const others = open.filter(
    (other) =>
      other.id !== id &&
      isSameAgent(agentIn(other), agentIn(allowed)) &&
      other.approval !== undefined &&
      approval !== undefined &&
      isSameTool(other.approval, approval) &&
      isCovered(command, inputIn(other.approval.input)) &&
      !other.approval.options &&
      !other.approval.cut,
  )
  return others.map((other) => ({
    kind: 'settlement',
    question: knownId(other.id),
    outcome: 'approved',
    by,
    always: 'used',
  }))
}

/** The permission that the entry `since` gave ends, or all of the tool, whoever had them. */
export function revoked(
  { always = [] }: ConversationState,
  what: Pick<Revocation, 'tool_name' | 'since'>,
  by: string,
): Revocation {
  const found = always.find((grant) => isTakenBack(grant, what))
  if (!found) throw new ParleyError('not_always_allowed', { tool: what.tool_name })
  const { command } = what.since === undefined ? {} : found
  return { kind: 'revocation', by, ...what, ...(command && { command }) }
}

type Named = Pick<Approval, 'tool_name' | 'server' | 'tool' | 'fingerprint'>

/** A call that somebody wants to make. */
interface RequestedCall extends Named {
  input: Record<string, unknown> | undefined
}

export function grantOf({ always = [] }: ConversationState, call: RequestedCall, agent: Agent): Grant | undefined {
  return always.find(
    (grant) => isSameTool(grant, call) && isSameAgent(grant, agent) && isCovered(grant.command, call.input),
  )
}
