import { hash, randomUUID } from 'node:crypto'
import { type Agent, identityOf as identityOfAgent } from '../../protocol/entries/agent.ts'
import type { Decided } from '../../protocol/entries/approval.ts'
import type { ToolResultBody } from '../../protocol/entries/entry.ts'
import { ERRORS, ParleyError } from '../../protocol/errors.ts'
import { isRecord } from '../../protocol/text/record.ts'
import type { CallResult, Ending, MountedCall, PolicyDecision } from '../../protocol/tools/gateway.ts'

const IDENTITY_LENGTH = 22
const TOLD = 2000

/** The same for the same call of the same caller: made again it means the one that still waits. */
export function identityOf(call: Pick<MountedCall, 'subject' | 'by' | 'folder' | 'visit'>): string {
  const { conversation, server, tool, arguments: input } = call.subject
  const all = JSON.stringify([identityOfAgent(callerOf(call)), conversation, server, tool, sorted(input)])
  return hash('sha256', all, 'base64url').slice(0, IDENTITY_LENGTH)
}

/** Another id of the very same call. */
export function likeId(id: string): string {
  return `${id.split('.')[0]}.${randomUUID().slice(0, 8)}`
}

export function callerOf({
  subject,
  by,
  folder,
  visit,
}: Pick<MountedCall, 'subject' | 'by' | 'folder' | 'visit'>): Agent {
  return { asker: subject.principal, agent: by, folder, visit }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => [name, sorted(one)])
}

/** Why a call may not run, for its caller. */
export function denialOf({ decision, reason, rule }: Decided): ParleyError {
  const why = reason ?? (rule ? `rule ${rule.id} of the policy forbids it` : 'no reason given')
  return new ParleyError(decision === 'deny_abort' ? 'call_aborted' : 'call_denied', { reason: why })
}

/** A rule lets it through, but not so many, so large or so long. */
export function overLimit({ message }: ParleyError, { rule }: PolicyDecision): Decided {
  return { decision: 'deny_continue', rule, reason: message }
}

/** Its server has it no more. */
export function goneTool({ server, tool }: { server: string; tool: string }): ParleyError {
  return new ParleyError('mount_down', { server, problem: `it has no tool ${tool} now` })
}

/** The error that its caller would have got, where it was not to run. */
export function denialIn({ decided }: ToolResultBody): ParleyError | undefined {
  return decided && decided.decision !== 'allow' ? denialOf(decided) : undefined
}

/** The result as it came; throws where it ended with an error. */
export function broughtBy(ending: Ending): CallResult {
  if ('error' in ending) throw ending.error
  return ending.result
}

export function endingOf(running: Promise<CallResult>): Promise<Ending> {
  return running.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  )
}

/** Its caller may come again; an error, because tools say what their results look like. */
export function pending(question_id: string, { isRequest }: MountedCall): CallResult {
  if (isRequest) throw new ParleyError('call_undecided')
  const text = JSON.stringify({ status: 'pending', question_id, next: ERRORS.call_undecided.text })
  return { content: [{ type: 'text', text }], isError: true }
}

/** What an agent is told of a call that came to an end without it. */
export function lateResultText({ tool_name, decided, result, success }: ToolResultBody): string {
  const by = decided?.by ?? 'the policy'
  const head = `About your earlier call of ${tool_name}:`
  if (decided?.decision !== 'allow') return `${head} ${result}`
  const gist = result.length > TOLD ? `${result.slice(0, TOLD)}… (${result.length} characters in all)` : result
  return `${head} ${by} allowed it, and it ${success ? 'was carried out' : 'failed'}. ${gist}`
}
