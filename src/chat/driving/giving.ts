import type { Clock } from '../../io/clock.ts'
import type { Notes } from '../../log/notes.ts'
import type { Entry } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import type { Decide } from '../conversation/decision.ts'
import type { Projection } from '../conversation/projection.ts'
import type { Visits } from '../delivery/visits.ts'
import { createDrivers } from './drivers.ts'
import type { Driving } from './driving.ts'
import type { Presence } from './presence.ts'
import { createRunnerChoice } from './runner-choice.ts'
import { createStarting, type StartingParts, type Words } from './starting.ts'
import { createUndriven } from './undriven.ts'

interface GivingParts extends Pick<StartingParts, 'append' | 'appendToKnown' | 'fencing' | 'attached' | 'page'> {
  append(conversation: string, decide: Decide, key?: string): Promise<Entry>
  state(conversation: string): Promise<ConversationState>
  /** Says it after everything that was said before. */
  inTurn(conversation: string, answers: string | undefined, say: () => Promise<Entry>): Promise<Entry>
  driving: Driving
  presence: Presence
  visits: Visits
  projection: Projection
  notes: Pick<Notes, 'get' | 'put'>
  clock: Clock
  report(error: unknown): void
}

/**
 * Gives conversations to those who drive agents: as people wish, with what they say, and what waited for somebody to
 * come.
 */
export function createGiving({ driving, inTurn, ...parts }: GivingParts) {
  const { runners, drivenIn } = driving
  const drivers = createDrivers()
  const choice = createRunnerChoice({ ...parts, runners, changed: () => undriven.giveWaiting() })
  const undriven = createUndriven({ ...parts, drivers, choose: choice.choose })
  const { start, changeRunSettings, tellEarlier, say } = createStarting({ ...parts, runners, drivenIn, undriven })
  return {
    service: {
      start,
      changeRunSettings,
      tellEarlier,
      say: (conversation: string, words: Words, key?: string): Promise<Entry> =>
        inTurn(conversation, words.answers, () => say(conversation, words, key)),
      unanswered: undriven.unanswered,
      drivers,
    },
    close: choice.close,
  }
}
