import type { Decided, Deed, Earlier } from '../../../../src/protocol/entries/entry.ts'
import { unreachable } from '../../../../src/protocol/unreachable.ts'
import { ownName } from '../../text/tool-name.ts'
import type { Growing } from './partials.svelte.ts'
import { maskedIn } from './records.ts'
import type { ApprovalRecord, Logged, Note, PlanRecord, Thought, Tool, TurnEnd } from './row.ts'

/**
 * The deeds of agents as rows. They come in order, because a result has to find its call. `growing`: what calls say
 * while they run, under their ids.
 */
export function createDeeds(growing: Growing[] = []) {
  const running = new Map<string, Tool[]>()
  const named = new Map<string, Tool>()
  /** The calls that somebody was asked about. */
  const asked = new Map<string, ApprovalRecord>()
  let plan: PlanRecord | undefined
  return { rowOf, earlier, leave, waits, wanted }

  function rowOf(base: Logged, body: Deed): Tool | Thought | PlanRecord | Note | undefined {
    switch (body.kind) {
      case 'tool_call':
        return called(base, body)
      case 'tool_result': {
        const { kind: _, by: __, tool_name: ___, success, call_id: ____, ...ended } = body
        const state = isDenied(body) ? 'denied' : success ? 'done' : 'failed'
        const call = callOf(body)
        if (!call) return { kind: 'tool', ...base, name: ownName(body), args: undefined, ...ended, state }
        const masked = (call.masked ?? 0) + (body.masked ?? 0) || undefined
        Object.assign(call, ended, { state, masked, endedAt: base.at, output: undefined })
        return undefined
      }
      case 'thinking':
        return { kind: 'thought', ...base, text: body.reasoning }
      case 'progress':
        return { kind: 'note', ...base, tone: 'progress', text: body.text }
      case 'error':
        return { kind: 'note', ...base, tone: 'bad', text: body.error }
      case 'plan': {
        if (plan) return void Object.assign(plan, { plan: body.steps })
        plan = { kind: 'plan', ...base, plan: body.steps }
        return plan
      }
      case 'turn':
        if (plan) plan.over = true
        plan = undefined
        // Ids may repeat in another turn; those of mounted tools do not, and their calls may end turns later.
        for (const known of [named, asked])
          for (const [id, { server }] of known) if (server === undefined) known.delete(id)
        giveUp(body.by)
        return { kind: 'note', ...base, tone: 'faint', text: 'The agent ended its turn', turn: toldOf(body) }
      default:
        return unreachable(body)
    }
  }

  /** What was done before the conversation: of a call no more is known. */
  function earlier(base: Logged, { what, tool_name, text }: Earlier): Tool | Thought | undefined {
    if (what === 'thinking') return { kind: 'thought', ...base, text }
    if (what !== 'tool') return undefined
    const name = tool_name ?? text
    return { kind: 'tool', ...base, name, title: text, args: undefined, result: undefined, state: 'done' }
  }

  function called(base: Logged, body: Extract<Deed, { kind: 'tool_call' }>): Tool | undefined {
    const { kind: _, by: __, tool_name: ___, tool_args: args, call_id, clear, ...more } = body
    const told = {
      name: ownName(body),
      args,
      ...more,
      ...maskedIn(base, clear),
      ...(isDenied(body) && { state: 'denied' as const }),
    }
    const known = named.get(idOf(body))
    // The call is told once more, now that more is known of it.
    if (known) return void Object.assign(known, told)
    const output = growing.find(({ id, kind }) => kind === 'output' && id === call_id && body.server === undefined)
    const tool: Tool = {
      kind: 'tool',
      ...base,
      result: undefined,
      state: 'running',
      output,
      ...told,
    }
    waitingAt(placeOf(body)).push(tool)
    if (call_id === undefined) return tool
    named.set(idOf(body), tool)
    const approval = asked.get(idOf(body))
    if (!approval) return tool
    approval.call ??= tool
    return approval.call === tool ? undefined : tool
  }

  /** A person is asked about it: it and its call are one row, whichever is told first. */
  function wanted(approval: ApprovalRecord): Tool | undefined {
    if (approval.call_id === undefined) return undefined
    const before = asked.get(idOf(approval))
    const tool = named.get(idOf(approval))
    asked.set(idOf(approval), approval)
    // Who asks once more means the same call.
    if (before?.call === tool) delete before?.call
    approval.call = tool
    return tool
  }

  /** The call by its id where it has one; others are taken in the order in which they began. */
  function callOf(body: Extract<Deed, { kind: 'tool_result' }>): Tool | undefined {
    if (body.call_id === undefined) return running.get(placeOf(body))?.shift()
    const call = named.get(idOf(body))
    if (!call) return undefined
    named.delete(idOf(body))
    for (const tools of running.values()) if (tools.includes(call)) tools.splice(tools.indexOf(call), 1)
    return call
  }

  /** Nobody is there, or known to be there, who works on the results that are missing. */
  function leave(state: 'gone' | 'open') {
    for (const tool of [...running.values()].flat()) if (tool.state !== 'denied') tool.state = state
  }

  /** It goes on when the person allows it, should anybody be there to hear that. */
  function waits(approval: { server?: string; call_id?: string }) {
    // A driver may ask about a mounted tool, and tells of the call as of every other.
    const tool = named.get(idOf(approval)) ?? named.get(idOf({ call_id: approval.call_id }))
    if (tool && tool.state !== 'gone') tool.state = 'waiting'
  }

  function waitingAt(place: string): Tool[] {
    const tools = running.get(place) ?? []
    running.set(place, tools)
    return tools
  }

  function giveUp(by: string) {
    for (const [place, tools] of running) {
      if (!place.startsWith(`${by}\n`)) continue
      for (const tool of tools) if (tool.state !== 'denied') tool.state = 'lost'
      running.delete(place)
    }
  }
}

function isDenied({ decided }: { decided?: Decided }): boolean {
  return decided?.decision.startsWith('deny') === true
}

/** The end of a turn where there is more to say than that it ended. */
function toldOf(turn: TurnEnd): TurnEnd | undefined {
  return Object.keys(turn).length > 2 ? turn : undefined
}

/** The gateway's call and the agent's call are two, whatever ids they have. */
function idOf({ server, call_id = '' }: { server?: string; call_id?: string }): string {
  return `${server === undefined ? 'agent' : 'gateway'}\n${call_id}`
}

/** A name holds no line break, so no two calls share a place that are not alike. */
function placeOf({ by, tool_name, server = '' }: { by: string; tool_name: string; server?: string }): string {
  return `${by}\n${tool_name}\n${server}`
}
