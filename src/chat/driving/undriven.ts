import { createQueue } from '../../io/queue.ts'
import type { Body, Entry } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import { hasWords, isNobodys, type Unanswered } from '../../protocol/entries/unanswered.ts'
import type { Runner } from '../../protocol/frames/driving.ts'
import { bodies, type Decide } from '../conversation/decision.ts'
import type { Projection } from '../conversation/projection.ts'
import type { Visits } from '../delivery/visits.ts'
import type { Drivers } from './drivers.ts'
import type { Presence } from './presence.ts'
import type { RunnerChoice } from './runner-choice.ts'

export type Undriven = ReturnType<typeof createUndriven>

interface UndrivenParts {
  append(conversation: string, decide: Decide): Promise<Entry | undefined>
  state(conversation: string): Promise<ConversationState>
  presence: Pick<Presence, 'isTaken'>
  visits: Pick<Visits, 'isAttended'>
  drivers: Pick<Drivers, 'answers'>
  projection: Pick<Projection, 'ready' | 'reached' | 'waiting' | 'passBy'>
  choose: RunnerChoice['choose']
  report(error: unknown): void
}

/** The giver of a conversation when nobody spoke just then. */
const GIVER = 'parley'

/**
 * Conversations where nobody answers and nobody is expected to: no runner was chosen, no agent is there or connected,
 * no program listens for it, and none of them ever did anything there. Words for an agent that is only away wait for
 * that agent.
 */
export function createUndriven({ append, state, projection, choose, report, ...parts }: UndrivenParts) {
  const { presence, visits, drivers } = parts
  const giving = createQueue()
  return { isUndriven, runnerFor, waits, giveWaiting, unanswered }

  function isUndriven(state: ConversationState): boolean {
    if (!isNobodys(state) || presence.isTaken(state.id)) return false
    return !visits.isAttended(state.id) && !drivers.answers(state.id)
  }

  /** The runner that gets the conversation now, if any does. */
  function runnerFor(state: ConversationState): Runner | undefined {
    return isUndriven(state) ? choose().runner : undefined
  }

  /** Why nobody answers what was said there, if that is so. */
  async function unanswered(conversation: string): Promise<Unanswered | undefined> {
    const now = await state(conversation)
    return isUndriven(now) && hasWords(now) ? choose().waits : undefined
  }

  /**
   * Nobody was there for these words. A runner that came while they were written has looked too early; later ones find
   * them.
   */
  function waits({ id, conversation }: Entry) {
    projection
      .reached(id)
      .then(() => give(conversation))
      .catch(report)
  }

  /** A runner is there now: it gets what waits, one conversation after the other. */
  function giveWaiting() {
    giving.add(giveAll).catch(report)
  }

  async function giveAll() {
    await projection.ready
    if (choose().runner) for (const conversation of projection.waiting()) await give(conversation)
  }

  async function give(conversation: string) {
    if (!choose().runner) return
    const now = await state(conversation)
    if (!isNobodys(now)) projection.passBy(conversation)
    if (!hasWords(now) || !runnerFor(now)) return
    await append(conversation, (state) => {
      const runner = hasWords(state) ? runnerFor(state) : undefined
      return runner ? bodies(...given(state, runner, GIVER)) : []
    })
  }
}

/** The conversation is this runner's from now on, with everything that waits there. */
export function given(state: ConversationState, { name, folder }: Runner, by: string, title = state.title): Body[] {
  return [
    { kind: 'title', title, folder },
    { kind: 'wish', by, runner: name, ...(hasWords(state) && { waiting: true }) },
  ]
}
