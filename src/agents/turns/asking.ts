import { orUndo } from '../../io/or-undo.ts'
import type { DrivingEvent } from '../../protocol/frames/driving.ts'
import type { Ask, AskOutcome } from '../driver.ts'
import type { ConversationHub } from '../hub.ts'
import { nameFrom } from '../name-from.ts'
import { beginningOf } from './beginnings.ts'
import type { OpenAsk, UiState } from './ui-state.ts'

export type Settled = Extract<DrivingEvent, { type: 'settled' }>

export interface AskingParts {
  hub: ConversationHub
  state: UiState
  /** The agent has this reply: it is never given to it as something said besides. */
  answered(message: string): void
  /** Keeps the state now. */
  save(): void
  /** Questions were asked or settled. */
  changed(): void
  /** A rule ended the turn together with a call. */
  aborted(): void
  next(act: () => Promise<unknown>): void
  report(error: unknown): void
}

/** The questions of one turn: asked without waiting, and settled by events or by the end of the turn. */
export function createAsking({ hub, state, answered, save, changed, aborted, next, report }: AskingParts) {
  /** Those whose agent waits; after a restart there are only questions left. */
  const waiting = new Map<string, Ask>()
  /** Events may be faster than the answer that names their question. */
  const early = new Map<string, Settled>()
  return { ask, settled, isAsked, end }

  function ask(ask: Ask, call_id: string | undefined) {
    const key = nameFrom(`${state.turn}:ask:${ask.key}`, state.turn)
    if (waiting.has(key)) return
    waiting.set(key, ask)
    const { options, multi_select } = ask
    const text = beginningOf(ask.text)
    const approval = ask.approval && { ...ask.approval, call_id }
    const open: OpenAsk = { key, input: { text, options, multi_select, approval } }
    state.asks.push(open)
    save()
    changed()
    next(async () => {
      // It may have ended before it could be asked.
      if (!waiting.has(key)) return
      open.asked = true
      save()
      const withdraw = () => settle(key, { outcome: 'withdrawn' })
      open.question_id = await orUndo(() => idOf(open), withdraw)
      save()
      const event = early.get(open.question_id)
      if (event) settled(event)
    })
  }

  /** The same key asks once, also after a restart. */
  async function idOf({ key, input, question_id }: OpenAsk): Promise<string> {
    return question_id ?? (await hub.call('ask_person', { key, ...input })).question_id
  }

  /** The reply belongs to the agent that asked, unless it no longer waits: then it is something said. */
  function settled(event: Settled) {
    const open = state.asks.find(({ question_id }) => question_id === event.question_id)
    if (!open) {
      early.set(event.question_id, event)
      return
    }
    void received(event)
      .catch(report)
      .then((isOurs) => {
        settle(open.key, isOurs ? outcomeOf(event) : { outcome: 'withdrawn' })
        if (event.abort) aborted()
      })
  }

  /** Whether this agent has the reply; otherwise somebody else has it, or will. */
  async function received({ id, question_id, reply }: Settled): Promise<boolean> {
    if (reply === undefined) return true
    const isOurs = await hub.receive(id)
    const isWanted = isOurs && isAwaited(question_id)
    if (isWanted) answered(id)
    return isWanted
  }

  function isAwaited(question: string): boolean {
    return state.asks.some(({ key, question_id }) => question_id === question && waiting.has(key))
  }

  /** Whether its reply is for the agent that asks here, and comes as an event. */
  function isAsked(question: string | undefined): boolean {
    return question !== undefined && state.asks.some(({ question_id }) => question_id === question)
  }

  function settle(key: string, outcome: AskOutcome) {
    drop(key)
    answer(key, outcome)
    changed()
  }

  function drop(key: string) {
    state.asks = state.asks.filter((ask) => ask.key !== key)
    save()
  }

  function answer(key: string, outcome: AskOutcome) {
    const ask = waiting.get(key)
    waiting.delete(key)
    ask?.settled(outcome)
  }

  /** Nobody waits for an answer any more. */
  function end() {
    for (const { key } of state.asks) answer(key, { outcome: 'withdrawn' })
    for (const open of state.asks)
      next(async () => {
        if (open.asked) await hub.call('withdraw_questions', { question_ids: [await idOf(open)] })
        drop(open.key)
      })
  }
}

function outcomeOf({ outcome, reply = '', choices, option, input, reason }: Settled): AskOutcome {
  switch (outcome) {
    case 'answered':
      return { outcome, reply, choices }
    case 'approved':
    case 'denied':
      return { outcome, option, input, reason }
    default:
      return { outcome: 'withdrawn' }
  }
}
