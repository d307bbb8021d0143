import { type Agent, agentIn } from '../../protocol/entries/agent.ts'
import type { Body, Settlement } from '../../protocol/entries/entry.ts'

/** The reason that an agent is given where the rule has none. */
const DENIED_BY_RULE = 'A rule of the policy denies it'

/** The asker of what has an outcome, whether a person was asked or not. */
export function askerOf(body: Body): Agent | undefined {
  if (body.kind !== 'question' && body.kind !== 'permitted_call' && body.kind !== 'refused_call') return undefined
  return agentIn(body)
}

/** A call that nobody was asked about has its outcome in itself. */
export function ownOutcome(question: string, body: Body): Settlement | undefined {
  if (body.kind === 'permitted_call') {
    const { granted_by: by, decided } = body
    const how = decided ? { decided } : { always: 'used' as const }
    return { kind: 'settlement', question, outcome: 'approved', by, ...how }
  }
  if (body.kind !== 'refused_call') return undefined
  const { decided } = body
  const { reason = DENIED_BY_RULE } = decided
  return { kind: 'settlement', question, outcome: 'denied', by: 'policy', reason, decided }
}

/** Its agent is not to go on. */
export function isAborted({ decided }: Pick<Settlement, 'decided'>): boolean {
  return decided?.decision === 'deny_abort'
}
