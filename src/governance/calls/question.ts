import { maskedInWords } from '../../chat/approvals/call-in-words.ts'
import type { AskedCall } from '../../chat/approvals/mounted-calls.ts'
import type { Decided } from '../../protocol/entries/approval.ts'
import type { SettledEntry } from '../../protocol/entries/entry.ts'
import { unmasked } from '../../protocol/secrets/masking.ts'
import { isRecord } from '../../protocol/text/record.ts'
import type { MountedCall, PolicyDecision } from '../../protocol/tools/gateway.ts'

export const TOOL_CHANGED = {
  decision: 'ask',
  reason: 'Its server is another one, or says something else of this tool, than when it was last allowed',
  toolChanged: true,
} as const

/** Why a person is asked. */
export type Asked = PolicyDecision & { toolChanged?: true }

type CallToAsk = Pick<MountedCall, 'subject' | 'shown' | 'by' | 'folder' | 'visit' | 'fingerprint'>

/** Nobody decided in this time: no. */
const DEADLINE_MS = 24 * 60 * 60_000

/** The question to a person about a call. */
export function questionOf(call: CallToAsk, call_id: string, why: Asked): AskedCall {
  const { subject, shown, by, folder, visit, fingerprint } = call
  const { server, tool, principal: asker, arguments: input } = subject
  const args = JSON.stringify(input)
  return {
    kind: 'question',
    by,
    asker,
    folder,
    visit,
    text: maskedInWords(shown, args),
    expires_at: Date.now() + (why.deadline ?? DEADLINE_MS),
    approval: {
      tool_name: shown,
      input: args,
      server,
      tool,
      call_id,
      fingerprint,
      ...(why.toolChanged && { tool_changed: true }),
      // That no rule is about it needs no words.
      ...((why.rule || why.toolChanged) && why.reason !== undefined && { reason: why.reason }),
    },
  }
}

/** The same call once more, with a tool that is another one by now. */
export function askedOnceMore(
  { by, asker = '', folder, visit, approval }: AskedCall,
  { id, input, fingerprint }: { id: string; input: Record<string, unknown>; fingerprint: string },
): AskedCall {
  const { server = '', tool = '', tool_name: shown } = approval
  const subject = { server, tool, arguments: input, principal: asker, conversation: '', at: 0 }
  return questionOf({ subject, shown, by, folder, visit, fingerprint }, id, TOOL_CHANGED)
}

/** The decision of a person, a rule or the clock about a call. */
export function decidedBy({ body: { outcome, by, reason, decided } }: SettledEntry): Decided {
  if (decided) return decided
  if (outcome === 'approved') return { decision: 'allow', by }
  if (outcome === 'expired') return { decision: 'deny_continue', by: 'deadline', reason: 'nobody decided in time' }
  return { decision: 'deny_continue', by, reason: reason ?? `${by} said no` }
}

/** The arguments as the person changed them, with the secrets that were not shown. */
export function changedBy({ body }: SettledEntry, original: Record<string, unknown>): Record<string, unknown> {
  if (body.input === undefined) return original
  const changed = unmasked(JSON.parse(body.input), original)
  return isRecord(changed) ? changed : original
}
