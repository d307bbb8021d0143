import type { Body, Question, Revocation } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Conversation, Grant, OpenQuestion } from '../protocol/fold.ts'
import { knownId } from './room.ts'

/** The state of a conversation, which every page is sent, names them all. */
const MOST_TOOLS = 32

/** What a question comes to: the call of a tool that is always allowed here is none. */
export function put(state: Conversation, question: Question): Body {
  const { by, approval } = question
  const grant = approval && grantOf(state, approval.tool_name)
  return grant ? { kind: 'permitted_call', by, approval, granted_by: grant.by } : question
}

/** Whatever else waits for the same tool is allowed along with the call that is: nobody wants to be asked again. */
export function alsoAllowed(state: Conversation, { id, approval }: OpenQuestion, by: string): Body[] {
  const { always = [], open } = state
  if (always.length >= MOST_TOOLS) throw new ParleyError('too_many_tools', { most: MOST_TOOLS })
  const others = open.filter((other) => other.id !== id && other.approval?.tool_name === approval?.tool_name)
  return others.map((other) => ({
    kind: 'settlement',
    question: knownId(other.id),
    outcome: 'approved',
    by,
    always: 'used',
  }))
}

export function revoked(state: Conversation, tool_name: string, by: string): Revocation {
  if (!grantOf(state, tool_name)) throw new ParleyError('not_always_allowed', { tool: tool_name })
  return { kind: 'revocation', by, tool_name }
}

function grantOf({ always = [] }: Conversation, tool: string): Grant | undefined {
  return always.find(({ tool_name }) => tool_name === tool)
}
