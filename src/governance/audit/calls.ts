import type { Log } from '../../log/views.ts'
import type { Approval, Decided, Entry, Settlement } from '../../protocol/entries/entry.ts'
import type { AuditedCall } from '../../protocol/tools/audit.ts'
import { calledTool } from '../../protocol/tools/called-tool.ts'
import { entriesOf } from './verify.ts'

/** A hub that has forgotten how a call ended tells of it when so many others began after it. */
const MOST_OPEN = 10_000

/** Every call that the log tells of, when all is known of it. */
export async function* auditedCalls(log: Pick<Log, 'read'>): AsyncGenerator<AuditedCall> {
  /** Those that may still be heard of, by the conversation and the id of the call or of the question. */
  const open = new Map<string, AuditedCall>()
  for await (const entry of entriesOf(log)) {
    const over = told(open, entry)
    if (over) yield over
    const [oldest] = open
    if (oldest && open.size > MOST_OPEN) {
      for (const [key, call] of open) if (call === oldest[1]) open.delete(key)
      yield oldest[1]
    }
  }
  yield* new Set(open.values())
}

/**
 * Gives the call that this entry is the last of. What the gateway tells of a call and what an agent tells are two,
 * whatever ids they have.
 */
function told(open: Map<string, AuditedCall>, entry: Entry): AuditedCall | undefined {
  const { id, conversation, body } = entry
  const teller = isOfGateway(body) ? 'gateway' : 'agent'
  switch (body.kind) {
    case 'question':
      if (body.approval) open.set(questionKey(id), put(asked(body.by, body.approval, 'waiting')))
      return undefined
    case 'settlement': {
      const call = take(questionKey(body.question))
      if (call) Object.assign(call, settledBy(body), body.input !== undefined && { arguments: body.input })
      // One that has an id is heard of again: it runs, or its end is told.
      return call?.call_id === undefined ? call : undefined
    }
    case 'permitted_call':
    case 'refused_call': {
      const call = asked(body.by, body.approval, 'allow')
      const granted = body.kind === 'permitted_call' ? { by: body.granted_by, always: true } : {}
      Object.assign(call, body.decided ? decidedBy(body.decided) : granted)
      if (!body.driven || call.call_id === undefined) return call
      put(call)
      return undefined
    }
    case 'tool_call': {
      const call = known(keyOf(body.call_id)) ?? begun(entry, { ...body, input: body.tool_args }, 'told')
      Object.assign(call, { arguments: body.tool_args }, body.args_file && { arguments_file: body.args_file })
      if (body.decided) Object.assign(call, decidedBy(body.decided))
      put(call, body.call_id ?? nameless(body))
      return undefined
    }
    case 'tool_result': {
      const call = take(keyOf(body.call_id ?? nameless(body))) ?? begun(entry, { ...body, input: '' }, 'told')
      const { success, result, duration_ms, masked = 0 } = body
      Object.assign(call, { success, result }, duration_ms !== undefined && { duration_ms })
      Object.assign(
        call,
        body.decided && decidedBy(body.decided),
        masked > 0 && { masked: (call.masked ?? 0) + masked },
      )
      return call
    }
    default:
      return undefined
  }

  function asked(by: string, approval: Approval, decision: AuditedCall['decision']): AuditedCall {
    const call = known(keyOf(approval.call_id)) ?? begun(entry, { ...approval, by }, decision)
    call.decision = decision
    return call
  }

  function known(key: string | undefined): AuditedCall | undefined {
    const call = key === undefined ? undefined : open.get(key)
    if (call && call.entries.at(-1) !== id) call.entries.push(id)
    return call
  }

  function take(key: string): AuditedCall | undefined {
    const call = known(key)
    open.delete(key)
    return call
  }

  function put(call: AuditedCall, name = call.call_id): AuditedCall {
    if (name !== undefined) open.set(keyOf(name), call)
    return call
  }

  function keyOf(name: string): string
  function keyOf(name: string | undefined): string | undefined
  function keyOf(name: string | undefined): string | undefined {
    return name === undefined ? undefined : `${conversation}\n${teller}\n${name}`
  }
}

/** Agents tell of no server, and who drives one asks for it. */
function isOfGateway(body: Entry['body']): boolean {
  if (body.kind === 'tool_call' || body.kind === 'tool_result') return body.server !== undefined
  return body.kind === 'question' && body.approval?.server !== undefined && !body.driven
}

function questionKey(id: string): string {
  return `question\n${id}`
}

interface Told extends Pick<AuditedCall, 'masked' | 'call_id'> {
  by: string
  tool_name: string
  input: string
  server?: string
  tool?: string
}

function begun({ id, at, conversation }: Entry, about: Told, decision: AuditedCall['decision']): AuditedCall {
  const { by: agent, tool_name, input, call_id, masked } = about
  const own = calledTool(tool_name)
  const { server = own.server, tool = server === own.server ? own.tool : tool_name } = about
  return {
    at,
    entries: [id],
    conversation,
    agent,
    server,
    tool,
    arguments: input,
    decision,
    ...(call_id !== undefined && { call_id }),
    ...(masked !== undefined && { masked }),
  }
}

/** Agents that do not tell calls apart make one after the other. */
function nameless({ by, tool_name }: { by: string; tool_name: string }): string {
  return `${by}\n${tool_name}`
}

function settledBy({ outcome, by, reason, always, decided }: Settlement): Partial<AuditedCall> {
  if (decided) return decidedBy(decided)
  const used = always === 'used' && { always: true as const }
  switch (outcome) {
    case 'approved':
      return { decision: 'allow', by, ...used }
    case 'denied':
      return { decision: 'deny', by, ...(reason !== undefined && { reason }) }
    case 'answered':
      return {}
    default:
      return { decision: outcome, by }
  }
}

function decidedBy({ decision, by, rule, always, reason }: Decided): Partial<AuditedCall> {
  return {
    decision,
    ...(by !== undefined && { by }),
    ...(rule && { rule: rule.id }),
    ...(always && { always }),
    ...(reason !== undefined && { reason }),
  }
}
