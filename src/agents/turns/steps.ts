import type { ToolStep } from '../driver.ts'
import { nameFrom } from '../name-from.ts'
import { beginningOf, firstLocations, LONGEST_TEXT, LONGEST_TITLE } from './beginnings.ts'
import type { OpenStep, Post, UiState } from './ui-state.ts'

interface StepsParts {
  state: UiState
  post(tool: Post['tool'], input: Record<string, unknown>, key: string): void
  grow(id: string, kind: 'output', text: string): void
  /** Nothing of its output grows any more. */
  finished(id: string): void
}

/** The calls of tools in one turn: however many times the agent tells of one, people are told of it and of its end once. */
export function createSteps({ state, post, grow, finished }: StepsParts) {
  const ended = new Set<string>()
  return { step, tellAll, end, callOf }

  function step({ id, state: progress, ...news }: ToolStep) {
    // Some agents tell of a call once more when it is over.
    if (ended.has(id)) return
    const open = state.steps.find((step) => step.id === id) ?? begin(id)
    if (news.tool_name !== undefined) open.tool_name = nameFrom(news.tool_name, open.tool_name)
    for (const name of ['title', 'input', 'output', 'changes', 'locations'] as const)
      if (news[name] !== undefined) Object.assign(open, { [name]: news[name] })
    if (progress === 'running' || (progress !== 'pending' && hasInput(open))) tell(open)
    if (progress === 'done' || progress === 'failed') close(open, progress === 'done', open.output ?? '')
    else if (open.told && news.output !== undefined) grow(open.call_id, 'output', beginningOf(news.output))
  }

  function begin(id: string): OpenStep {
    const step: OpenStep = { id, call_id: nameFrom(`${state.turn}:${id}`, state.turn), tool_name: 'tool' }
    state.steps.push(step)
    return step
  }

  /** What the agent said first of a call is often not all: it is told when it runs, or before something else is. */
  function tell(open: OpenStep) {
    if (open.told) return
    open.told = true
    const { call_id, tool_name } = open
    const title = open.title && beginningOf(open.title, LONGEST_TITLE)
    const locations = firstLocations(open.locations)
    const whole = JSON.stringify(open.input ?? {})
    const tool_args = whole.length > LONGEST_TEXT ? JSON.stringify({ beginning: beginningOf(whole) }) : whole
    post(
      'chat_assistant_event',
      { type: 'tool_call', tool_name, tool_args, call_id, title, locations },
      `${call_id}:call`,
    )
  }

  /** The id that people know it by. */
  function callOf(id: string | undefined): string | undefined {
    return state.steps.find((step) => step.id === id)?.call_id
  }

  function tellAll() {
    for (const open of state.steps) tell(open)
  }

  function close(open: OpenStep, success: boolean, result: string) {
    tell(open)
    const { call_id, tool_name } = open
    const changes = JSON.stringify(open.changes ?? '').length > LONGEST_TEXT ? undefined : open.changes
    state.steps = state.steps.filter((step) => step !== open)
    ended.add(open.id)
    finished(call_id)
    post(
      'chat_assistant_event',
      { type: 'tool_result', tool_name, result: beginningOf(result), success, call_id, changes },
      call_id,
    )
  }

  /** Open steps are as good as done, unless there is a reason why they did not end. */
  function end(reason: string | undefined) {
    for (const open of [...state.steps]) {
      const said = [open.output, reason].filter((part) => part !== undefined && part !== '')
      close(open, reason === undefined, said.join('\n'))
    }
  }
}

function hasInput({ input }: OpenStep): boolean {
  return typeof input === 'object' && input !== null ? Object.keys(input).length > 0 : input !== undefined
}
