import type { Deed } from '../../../src/protocol/entry.ts'
import { unreachable } from '../../../src/protocol/unreachable.ts'
import type { Note } from './rows.ts'

interface Base {
  key: string
  id: string
  at: number
  day?: number
  fresh?: number
}

/** A call and its result in one row, which keeps the place and the key of the call. */
export interface Tool extends Base {
  kind: 'tool'
  name: string
  /** Undefined when only the result is known, because its call is on an older page or was never told. */
  args: string | undefined
  result: string | undefined
  /**
   * `lost`: the agent ended its turn without saying what came of it; `gone`: it left before it did; `permitted`: all
   * that is known of it is that it was always allowed, and by whom.
   */
  state: 'running' | 'done' | 'failed' | 'lost' | 'gone' | 'permitted'
  who?: string
  /** When its result came. */
  endedAt?: number
}

export interface Thought extends Base {
  kind: 'thought'
  text: string
}

/** What agents do besides talking, as rows. It is told the deeds in order, because a result has to find its call. */
export function createDeeds() {
  const running = new Map<string, Tool[]>()
  return { rowOf, leave }

  function rowOf(base: Base, body: Deed): Tool | Thought | Note | undefined {
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
      case 'turn':
        giveUp(body.by)
        return { kind: 'note', ...base, tone: 'faint', text: 'The agent ended its turn' }
      default:
        return unreachable(body)
    }
  }

  /** Nobody is there any more who could bring the results that are missing. */
  function leave() {
    for (const tool of [...running.values()].flat()) tool.state = 'gone'
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
