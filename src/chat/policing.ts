import { calledTool } from '../protocol/called-tool.ts'
import type { Approval, Body, Decided, Question } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Conversation, OpenQuestion } from '../protocol/fold.ts'
import type { ToolCallSubject, Verdict } from '../protocol/gateway.ts'
import { jsonIn } from '../protocol/json.ts'
import { isRecord } from '../protocol/record.ts'
import { grantOf } from './always.ts'
import { knownId } from './decision.ts'

/** Whom a rule is for that a person makes by always allowing a tool, and who it is. */
export interface Remembering {
  scope: 'agent' | 'everyone'
  by: string
}

/** The rules that come before every approval. */
export interface Policy {
  decide(subject: ToolCallSubject): Verdict
  /** Writes a rule that allows the tool of this call; throws where it cannot, and has changed nothing then. */
  remember(subject: ToolCallSubject, how: Remembering): Promise<void>
  /** A mounted tool as its server has it, by the name that clients call it. */
  mounted(shown: string): Pick<ToolCallSubject, 'tool' | 'annotations'> | undefined
}

/** Where there are no rules, people are asked. */
export const NO_POLICY: Policy = {
  decide: () => ({ decision: 'ask' }),
  remember: async () => {
    throw new ParleyError('no_policy')
  },
  mounted: () => undefined,
}

/** Who decided, where no person did. */
const POLICY = 'policy'

export type Policing = ReturnType<typeof createPolicing>

/** What becomes of a call by the rules of the policy, before anybody is asked. */
export function createPolicing({ policy, now }: { policy: Policy; now(): number }) {
  return { put, subjectOf, alsoAllowed }

  /** What a question comes to: a call that a rule decides about, or that is always allowed to its asker here, is none. */
  function put(state: Conversation, question: Question): Body {
    const { by, asker, approval, driven } = question
    if (!approval) return question
    // Of a mounted tool the rules were asked already, by who knows more of it.
    const verdict = approval.server === undefined ? policy.decide(subjectOf(state, question)) : undefined
    const decided = verdict && decidedBy(verdict)
    if (decided && decided.decision !== 'allow') return { kind: 'refused_call', by, asker, approval, decided, driven }
    if (decided && canBeAllowed(approval))
      return { kind: 'permitted_call', by, asker, approval, granted_by: POLICY, decided, driven }
    // An agent with options of its own wants one of them named.
    const grant = approval.options ? undefined : grantOf(state, approval.tool_name, asker)
    if (grant) return { kind: 'permitted_call', by, asker, approval, granted_by: grant.by, driven }
    const reason = verdict?.rule && verdict.reason
    return reason === undefined ? question : { ...question, approval: { ...approval, reason } }
  }

  function subjectOf({ id, folder }: Conversation, { asker, approval }: Pick<Question, 'asker' | 'approval'>) {
    const { tool_name = '', input = '', server } = approval ?? {}
    const args = jsonIn(input)
    const subject: ToolCallSubject = {
      ...(server === undefined ? calledTool(tool_name) : { server, tool: tool_name, ...policy.mounted(tool_name) }),
      arguments: isRecord(args) ? args : {},
      principal: asker ?? '',
      conversation: id,
      at: now(),
      ...(folder !== undefined && { cwd: folder }),
    }
    return subject
  }

  /** What else waits there for the same tool and is allowed by now. */
  function alsoAllowed(state: Conversation, like: ToolCallSubject, except: string, by: string): Body[] {
    const others = state.open.filter((other) => other.id !== except && isAllowed(state, other, like))
    return others.map(({ id }) => ({
      kind: 'settlement',
      question: knownId(id),
      outcome: 'approved',
      by,
      always: 'used',
    }))
  }

  function isAllowed(state: Conversation, other: OpenQuestion, { server, tool }: ToolCallSubject): boolean {
    if (!other.approval || other.approval.options) return false
    const subject = subjectOf(state, other)
    return subject.server === server && subject.tool === tool && policy.decide(subject).decision === 'allow'
  }
}

function decidedBy({ decision, rule, reason }: Verdict): Decided | undefined {
  return decision === 'ask' ? undefined : { decision, rule, reason }
}

/** Nobody but a person chooses among several ways to allow a call, or allows one for good. */
function canBeAllowed({ options }: Approval): boolean {
  return !options || options.filter(({ kind }) => kind === 'allow_once').length === 1
}
