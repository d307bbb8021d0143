import type { Ask, ToolStep } from '../driver.ts'

/** One turn as people see it, so that it can be told to its end whatever becomes of the process. */
export interface UiState {
  /** A name that no other turn has. */
  turn: string
  began_at: number
  /** The user texts that it is about. */
  texts: string[]
  /** The agent has said or done something in it. */
  heard?: true
  /** Words went into it while it ran; how many prompts these make is the agent's affair. */
  steered?: true
  /** The agent was lost before that, which was told. */
  lost?: true
  /** How many names were given away in it. */
  names: number
  /** The text that grows. */
  growing?: { id: string; kind: 'message' | 'thinking'; message?: string; text: string }
  /** Calls of tools that have not ended. */
  steps: OpenStep[]
  /** Questions that are open. */
  asks: OpenAsk[]
  /** Posts in order; each has a key, so that it happens once however often it is sent. */
  outbox: Post[]
  /** The agent has ended the turn: only the outbox is left. */
  ended?: true
}

export interface OpenStep extends Omit<ToolStep, 'state'> {
  tool_name: string
  /** The id that people know it by; `id` is the agent's own. */
  call_id: string
  /** The tool_call was told. */
  told?: true
}

export interface OpenAsk {
  key: string
  input: Pick<Ask, 'text' | 'options' | 'multi_select' | 'approval'>
  /** The hub was asked, or is about to be. */
  asked?: true
  question_id?: string
}

export interface Post {
  tool: 'chat_assistant_post' | 'chat_assistant_event' | 'yield_turn'
  input: { key: string; [name: string]: unknown }
}

export function newTurn(turn: string, texts: string[], began_at = Date.now()): UiState {
  return { turn, began_at, texts, names: 0, steps: [], asks: [], outbox: [] }
}
