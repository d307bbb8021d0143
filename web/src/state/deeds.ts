import type { Deed } from '../../../src/protocol/entry.ts'
import { unreachable } from '../../../src/protocol/unreachable.ts'
import type { Logged, Note, Thought, Tool } from './row.ts'

/** What agents do besides talking, as rows. It is told the deeds in order, because a result has to find its call. */
export function createDeeds() {
  const running = new Map<string, Tool[]>()
  return { rowOf, leave }

  function rowOf(base: Logged, body: Deed): Tool | Thought | Note | undefined {
    switch (body.kind) {
      case 'tool_call': {
        const { tool_name: name, tool_args: args } = body
        const tool: Tool = { kind: 'tool', ...base, name, args, result: undefined, state: 'running' }
        waitingAt(placeOf(body.by, name)).push(tool)
        return tool
      }
      case 'tool_result': {
        const { tool_name: name, result, success } = body
        const state = success ? 'done' : 'failed'
        const call = running.get(placeOf(body.by, name))?.shift()
        if (!call) return { kind: 'tool', ...base, name, args: undefined, result, state }
        Object.assign(call, { result, state, endedAt: base.at })
        return undefined
      }
      case 'thinking':
        return { kind: 'thought', ...base, text: body.reasoning }
      case 'progress':
        return { kind: 'note', ...base, tone: 'progress', text: body.text }
      case 'error':
        return { kind: 'note', ...base, tone: 'bad', text: body.error }
      case 'plan':
        return undefined
      case 'turn':
        giveUp(body.by)
        return { kind: 'note', ...base, tone: 'faint', text: 'The agent ended its turn' }
      default:
        return unreachable(body)
    }
  }

  /** Nobody is there, or known to be there, who works on the results that are missing. */
  function leave(state: 'gone' | 'open') {
    for (const tool of [...running.values()].flat()) tool.state = state
  }

  function waitingAt(place: string): Tool[] {
    const tools = running.get(place) ?? []
    running.set(place, tools)
    return tools
  }

  function giveUp(by: string) {
    for (const [place, tools] of running) {
      if (!place.startsWith(placeOf(by, ''))) continue
      for (const tool of tools) tool.state = 'lost'
      running.delete(place)
    }
  }
}

/** A name holds no line break, so no two pairs share a place. */
function placeOf(by: string, name: string): string {
  return `${by}\n${name}`
}
